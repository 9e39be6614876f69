import { expect, test } from 'vitest';
import { ReplyReader } from './reply-reader.ts';

const wire = Buffer.from(
  [
    'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}',
    'HTTP/1.1 204 No Content\r\n\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n',
    `HTTP/1.1 500 Oops\r\nx-long: ${'h'.repeat(3000)}\r\ncontent-length: 2\r\n\r\nno`,
  ].join(''),
);

test.each([1, 2, 3, 10, 100, 10_000])('replies are split correctly in reads of %i bytes', (size) => {
  const replies: [number, string][] = [];
  const reader = new ReplyReader((status, body) => replies.push([status, body]));
  reader.keep = true;

  for (let at = 0; at < wire.length; at += size) {
    const part = wire.subarray(at, at + size);
    reader.feed(part, part.length);
  }

  expect(replies).toEqual([
    [201, '{"a":1}'],
    [204, ''],
    [200, 'hello world'],
    [500, 'no'],
  ]);
});
