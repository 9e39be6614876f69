import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createConnectionId, serverOfConnection } from './connection-id.ts';

test('W4 the id of a connection names its server, is short enough for every call and never the same', () => {
  for (let n = 0; n < 50; n++) {
    const serverId = randomUUID();
    const [id, next] = [createConnectionId(serverId), createConnectionId(serverId)];

    expect(serverOfConnection(id)).toBe(serverId);
    expect(id).toMatch(/^[\w.-]{45}$/);
    expect(next).not.toBe(id);
  }
});

test.each([randomUUID(), '', '.', 'x'.repeat(45), `${'é'.repeat(22)}.${'a'.repeat(22)}`])(
  'W4 other texts name no server: %j',
  (text) => {
    expect(serverOfConnection(text)).toBeUndefined();
  },
);
