import type { UploadItem } from '@parley/client/attachments';
import { type FormEvent, useId, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { uploadTexts } from './upload-texts.ts';

export type DescribeDialogProps = {
  item: UploadItem;
  onSave: (alt: string) => void;
  onClose: () => void;
};

/** The dialog for the description of a picture, for people who cannot see it. */
export function DescribeDialog({ item, onSave, onClose }: DescribeDialogProps) {
  const text = useTexts(uploadTexts);
  const form = useId();
  const [alt, setAlt] = useState(item.alt ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The portal's events reach the composer too.
    event.stopPropagation();
    onSave(alt);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={text('describe', { name: item.name })}
      footer={
        <>
          <Button onClick={onClose}>{text('cancel')}</Button>
          <Button submit form={form} variant="primary">
            {text('save')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField
          autoFocus
          label={text('describeTitle')}
          hint={text('describeHint')}
          value={alt}
          maxLength={500}
          onChange={setAlt}
        />
      </form>
    </Dialog>
  );
}
