import type { ComponentType, ReactNode } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { type LazyPart, lazyPart, type MissingProps } from '../ui/lazy-part.tsx';
import { ChannelListSkeleton } from '../ui/skeleton.tsx';
import { useEscape } from '../ui/use-escape.ts';
import { ChannelHeader } from './channel-header.tsx';

export type LatePanelProps = {
  onClose?: (() => void) | undefined;
  onBack?: (() => void) | undefined;
};

const nothing = () => {};

/**
 * A panel or screen that is loaded when it is first shown. Until then, and while it cannot be loaded, its place has its name, a way out,
 * and a placeholder or a button to retry. `useName` is a hook that returns the name.
 */
export function latePanel<Props extends LatePanelProps>(
  load: () => Promise<ComponentType<Props>>,
  useName: () => string,
): LazyPart<Props> {
  function Frame({ onClose, onBack = onClose, children }: LatePanelProps & { children: ReactNode }) {
    useEscape(onClose ?? nothing);
    return (
      <>
        <ChannelHeader name={useName()} {...(onBack && { onBack })} {...(onClose && { onClose })} />
        {children}
      </>
    );
  }
  function Waiting({ onClose, onBack }: Props) {
    return (
      <Frame onClose={onClose} onBack={onBack}>
        <ChannelListSkeleton label={useTexts(commonTexts)('loading')} />
      </Frame>
    );
  }
  function Missing({ onClose, onBack, onRetry }: Props & MissingProps) {
    return (
      <Frame onClose={onClose} onBack={onBack}>
        <PanelMissing onRetry={onRetry} />
      </Frame>
    );
  }
  return lazyPart(load, { Waiting, Missing });
}

/** Shown in the place of a part that cannot be loaded. */
export function PanelMissing({ onRetry }: MissingProps) {
  const text = useTexts(commonTexts);
  return (
    <div role="alert">
      <EmptyState title={text('partMissing')} action={<Button onClick={onRetry}>{text('retry')}</Button>} />
    </div>
  );
}
