import type { VisibleMessage } from '@parley/client';
import { expect, test } from 'vitest';
import { aMessage } from '../../testing/records.ts';
import { AttachmentList } from './attachment-list.tsx';
import { QueuedList } from './queued-list.tsx';

test('A2 only a message that waits shows uploads: an attachment of a sent one may have a state of its own', () => {
  const attachment = { type: 'file', state: 'open' };
  const partOf = (status: VisibleMessage['status']) =>
    QueuedList({ message: aMessage({ status, attachments: [attachment] }) });

  expect(partOf('sent').type).toBe(AttachmentList);
  expect(partOf('sending').type).not.toBe(AttachmentList);
  expect(partOf('failed').type).not.toBe(AttachmentList);
});
