import type { VisibleMessage } from '@parley/client';
import { expect, test } from 'vitest';
import { AttachmentList } from './attachment-list.tsx';
import { QueuedList } from './queued-list.tsx';

test('A2 only a message that waits shows uploads: an attachment of a sent one may have a state of its own', () => {
  const partOf = (status: string) =>
    QueuedList({
      message: { id: 'm', status, attachments: [{ state: 'open' }] } as unknown as VisibleMessage,
    });

  expect(partOf('sent').type).toBe(AttachmentList);
  expect(partOf('sending').type).not.toBe(AttachmentList);
  expect(partOf('failed').type).not.toBe(AttachmentList);
});
