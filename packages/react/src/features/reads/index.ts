export { lateReadTexts as readTexts } from './late-texts.ts';
export { MessageInfoDialog, type MessageInfoDialogProps } from './message-info-dialog.tsx';
export { UnreadDialog, type UnreadDialogProps } from './unread-dialog.tsx';
