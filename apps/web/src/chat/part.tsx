import { Boundary, Button, EmptyState, IconWarning, useTexts } from '@parley/react';
import type { ReactNode } from 'react';
import { reloadAnew } from '../app/error-page.tsx';
import { appTexts } from '../app/texts.ts';

export type PartProps = {
  /** The place that is shown: with another one, a part that failed is drawn again. */
  of: string | undefined;
  children: ReactNode;
};

/** One of the parts of the screen: a fault in drawing it leaves the others. */
export function Part({ of, children }: PartProps) {
  return (
    <Boundary of={of} fallback={<Failed />}>
      {children}
    </Boundary>
  );
}

function Failed() {
  const text = useTexts(appTexts);
  return (
    <EmptyState
      icon={<IconWarning size={28} />}
      title={text('partFailed')}
      hint={text('failedHint')}
      action={<Button onClick={reloadAnew}>{text('reload')}</Button>}
    />
  );
}
