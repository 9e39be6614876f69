import { type ComponentType, useEffect, useRef, useState } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { Button } from './button.tsx';
import { cx, kitRoot } from './cx.ts';
import { keepTrying, type Tries } from './keep-trying.ts';
import styles from './lazy-part.module.css';

export type MissingProps = {
  /** Loads it again at once; it is also retried by itself. */
  onRetry: () => void;
};

export type LazyPartOptions<Props> = {
  /** Drawn until the part is loaded; nothing by default. */
  Waiting?: ComponentType<Props>;
  /** Drawn while it cannot be loaded; by default a notice below the header, for parts without a place of their own. */
  Missing?: ComponentType<Props & MissingProps>;
};

export type LazyPart<Props> = ComponentType<Props> & {
  /** Loads the part before it is first shown. */
  preload: () => Promise<void>;
};

/**
 * A part loaded when it is first shown, or before by `preload`. Unlike `React.lazy` it draws at once when it is there already; one
 * that cannot be loaded says so and is retried until it is there, where `lazy` would unmount the whole screen.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Waiting, Missing = PartMissing }: LazyPartOptions<Props> = {},
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const preload = () => {
    loading ??= load().then(
      (part) => {
        loaded = part;
      },
      (error) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function Part(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [isMissing, setMissing] = useState(false);
    const tries = useRef<Tries>(undefined);
    useEffect(() => {
      if (Loaded) return;
      // After an unmount, a new state is ignored.
      const show = () => preload().then(() => setLoaded(() => loaded));
      tries.current = keepTrying(show, () => setMissing(true));
      return tries.current.stop;
    }, [Loaded]);
    if (Loaded) return <Loaded {...props} />;
    if (isMissing) return <Missing {...props} onRetry={() => tries.current?.now()} />;
    return Waiting && <Waiting {...props} />;
  }
  return Object.assign(Part, { preload });
}

/** The notices of the page in order: only the first is drawn, or they would cover each other. */
const notices = new Set<() => void>();

type MaybeClosed = {
  open?: boolean;
  onClose?: () => void;
  onCancel?: () => void;
  onOpenChange?: (open: boolean) => void;
};

/** The way out of a popup or dialog, whichever it has. */
const closeOf = ({ onClose, onCancel, onOpenChange }: MaybeClosed): (() => void) | undefined =>
  onClose ?? onCancel ?? (onOpenChange && (() => onOpenChange(false)));

function PartMissing(props: MissingProps & MaybeClosed) {
  const text = useTexts(commonTexts);
  const [isFirst, setFirst] = useState(false);
  const isOpen = props.open !== false;
  const onClose = closeOf(props);
  useEffect(() => {
    if (!isOpen) return;
    const update = () => setFirst([...notices][0] === update);
    notices.add(update);
    update();
    return () => {
      notices.delete(update);
      for (const other of notices) other();
    };
  }, [isOpen]);
  if (!isFirst || !isOpen) return null;
  return (
    <div role="alert" className={cx(kitRoot, styles.missing)}>
      <span>{text('partMissing')}</span>
      <Button size="s" onClick={props.onRetry}>
        {text('retry')}
      </Button>
      {onClose && (
        <Button size="s" onClick={onClose}>
          {text('close')}
        </Button>
      )}
    </div>
  );
}
