/** One event, serialised once; its WebSocket frame is made when the first socket needs it and shared by all. */
export type Frame = { readonly json: string; bytes: Buffer | undefined };

export const createFrame = (json: string): Frame => ({ json, bytes: undefined });

const textFrame = 0x81;

/** An unmasked, unfragmented text frame (RFC 6455, 5.2). */
export const frameBytes = (frame: Frame): Buffer => {
  if (frame.bytes) return frame.bytes;
  const length = Buffer.byteLength(frame.json);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafe(head + length);
  bytes[0] = textFrame;
  if (head === 2) bytes[1] = length;
  else if (head === 4) {
    bytes[1] = 126;
    bytes.writeUInt16BE(length, 2);
  } else {
    bytes[1] = 127;
    bytes.writeBigUInt64BE(BigInt(length), 2);
  }
  bytes.write(frame.json, head);
  frame.bytes = bytes;
  return bytes;
};
