import { useText } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

export type DeleteDialogProps = { open: boolean; onCancel: () => void; onDelete: () => void };

export function DeleteDialog({ open, onCancel, onDelete }: DeleteDialogProps) {
  const text = useText();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onCancel()}
      title={text('deleteTitle')}
      description={text('deleteHint')}
      footer={
        <>
          <Button onClick={onCancel}>{text('cancel')}</Button>
          <Button variant="danger" onClick={onDelete}>
            {text('delete')}
          </Button>
        </>
      }
    />
  );
}
