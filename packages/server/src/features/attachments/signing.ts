import { createHmac, timingSafeEqual } from 'node:crypto';

const hour = 3600;

/** Signatures of file URLs. All that are made within an hour end at the same time, so that a URL stays the same and a
 * browser keeps what it has loaded; each lasts one to two hours. */
export const createSigner = (secret: string) => {
  const key = createHmac('sha256', secret).update('parley files').digest();
  const signatureOf = (id: string, expires: number): string =>
    createHmac('sha256', key).update(`${id} ${expires}`).digest('base64url').slice(0, 32);
  return {
    /** The end of validity in Unix seconds. */
    expiry: (nowMs: number): number => (Math.floor(nowMs / 1000 / hour) + 2) * hour,
    query: (id: string, expires: number): string =>
      `expires=${expires}&signature=${signatureOf(id, expires)}`,
    /** When the signature ends; undefined when it is none or has ended. */
    verify(id: string, query: { expires?: unknown; signature?: unknown }, nowMs: number): number | undefined {
      const { expires, signature } = query;
      if (typeof expires !== 'string' || typeof signature !== 'string') return undefined;
      if (!/^\d{1,12}$/.test(expires)) return undefined;
      const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(id, Number(expires)))];
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      return Number(expires) * 1000 > nowMs ? Number(expires) : undefined;
    },
  };
};
export type Signer = ReturnType<typeof createSigner>;
