import { type ComponentType, useEffect, useState } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { Button } from './button.tsx';
import { cx, kitRoot } from './cx.ts';
import styles from './lazy-part.module.css';

export type LazyPartOptions<Props> = {
  /** Drawn until the part is loaded; nothing by default. */
  Waiting?: ComponentType<Props>;
  /** Drawn when it cannot be loaded; by default a notice at the edge of the screen. */
  Missing?: ComponentType<Props>;
};

export type LazyPart<Props> = ComponentType<Props> & {
  /** Loads the part before it is first shown. */
  preload: () => Promise<void>;
};

/**
 * A part loaded when it is first shown, or before by `preload`. Unlike `React.lazy` it draws at once when it
 * is there already, and one that cannot be loaded shows a notice, where `lazy` would unmount the whole screen.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Waiting, Missing = PartMissing }: LazyPartOptions<Props> = {},
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const preload = async () => {
    loaded ??= await load();
  };
  function Part(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded ?? Waiting);
    useEffect(() => {
      if (loaded && Loaded === loaded) return;
      let shown = true;
      const show = (part: ComponentType<Props>) => shown && setLoaded(() => part);
      preload().then(
        () => show(loaded ?? Missing),
        () => show(Missing),
      );
      return () => {
        shown = false;
      };
    }, [Loaded]);
    return Loaded ? <Loaded {...props} /> : null;
  }
  return Object.assign(Part, { preload });
}

/** The notices of the page in order: only the first is drawn, or they would cover each other. */
const notices = new Set<() => void>();

// Browsers keep a failed import for as long as the page lives: only loading the page again helps.
function PartMissing() {
  const text = useTexts(commonTexts);
  const [isFirst, setFirst] = useState(false);
  useEffect(() => {
    const update = () => setFirst(notices.values().next().value === update);
    notices.add(update);
    update();
    return () => {
      notices.delete(update);
      for (const other of notices) other();
    };
  }, []);
  if (!isFirst) return null;
  return (
    <div role="alert" className={cx(kitRoot, styles.missing)}>
      <span>{text('partMissing')}</span>
      <Button size="s" onClick={() => location.reload()}>
        {text('reload')}
      </Button>
    </div>
  );
}
