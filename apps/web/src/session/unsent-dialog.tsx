import { Button, Dialog, useTexts } from '@parley/react';
import { appTexts } from '../app/texts.ts';

export type UnsentDialogProps = { onCancel: () => void; onSignOut: () => void };

/** Asks before a sign-out that would lose messages: nothing of a person stays in the storage of the browser. */
export function UnsentDialog({ onCancel, onSignOut }: UnsentDialogProps) {
  const text = useTexts(appTexts);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onCancel()}
      title={text('unsent')}
      description={text('unsentHint')}
      footer={
        <>
          <Button onClick={onCancel}>{text('cancel')}</Button>
          <Button variant="danger" onClick={onSignOut}>
            {text('signOut')}
          </Button>
        </>
      }
    />
  );
}
