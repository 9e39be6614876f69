export { type ReceiptsTexts, receiptsEnglish } from './english.ts';
export { MessageInfoDialog, type MessageInfoDialogProps } from './message-info-dialog.tsx';
export { UnreadDialog, type UnreadDialogProps } from './unread-dialog.tsx';
