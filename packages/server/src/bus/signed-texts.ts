import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** A text that was recorded cannot be sent again after this time, also to a server that has received nothing of its sender yet. Times
 * that are further apart keep servers from receiving each other's texts: all of them take that of the database. */
const mostAgeMs = 60 * 60 * 1000;
const separator = ' ';
/** The signature, the id of the sender and the number of the text, with what separates them. */
const mostHeadBytes = 43 + 36 + 16 + 3;

type Deps = { secret: string; now(): number };

/** Others may publish on the same NATS: servers believe only what one of them signed for that subject, and only once. Texts of one
 * sender come in order, so each has a higher number than the last. */
export class SignedTexts {
  static readonly mostHeadBytes = mostHeadBytes;
  #deps: Deps;
  /** Not its bytes: a signature by those takes four times as long. */
  #key: KeyObject;
  /** The number of the last text that was signed here. It is a time, so that a text shows its age. */
  #last = 0;
  /** The numbers of the last texts of the other servers. */
  #lastOf = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#key = createSecretKey(createHmac('sha256', deps.secret).update('parley bus').digest());
  }

  sign(sender: string, subject: string, text: string): string {
    this.#last = Math.max(this.#last + 1, this.#deps.now() * 1000);
    const signed = `${sender}${separator}${this.#last}${separator}${text}`;
    return `${this.#signature(subject, signed)}${separator}${signed}`;
  }

  /** Undefined where no server of this deployment signed it for the subject, or where it came before. */
  read(subject: string, given: string): string | undefined {
    const [signature = '', sender = '', number = ''] = given.split(separator, 3);
    const signed = given.slice(signature.length + separator.length);
    if (!this.#isSame(signature, this.#signature(subject, signed)) || !this.#isNext(sender, Number(number)))
      return undefined;
    return signed.slice(sender.length + number.length + 2 * separator.length);
  }

  #isNext(sender: string, number: number): boolean {
    const oldest = (this.#deps.now() - mostAgeMs) * 1000;
    const last = this.#lastOf.get(sender);
    if (number < oldest || (last !== undefined && number <= last)) return false;
    // Servers that ended are forgotten once nothing of them could be sent again.
    if (last === undefined) for (const [id, then] of this.#lastOf) if (then < oldest) this.#lastOf.delete(id);
    this.#lastOf.set(sender, number);
    return true;
  }

  #signature(subject: string, signed: string): string {
    return createHmac('sha256', this.#key).update(`${subject}${separator}${signed}`).digest('base64url');
  }

  #isSame(given: string, signature: string): boolean {
    const [first, second] = [Buffer.from(given), Buffer.from(signature)];
    return first.length === second.length && timingSafeEqual(first, second);
  }
}
