import { ParleyError } from '@parley/protocol';
import { tooLarge } from './receive.ts';

/** A message carries 10 files by default, and a composer sends a few at a time. */
const mostAtOnce = 10;
/** The fields of a form besides its file may have this many bytes. */
const formBytes = 16 * 1024;

type Limits = { fileBytes: number /** 0 is without bound. */; userBytes: number };
/** The bytes that a person has stored, those that their uploads in progress hold, and how many uploads are not by a server. */
type Person = { uploads: number; limited: number; stored: number; held: number };
type Wanted = { userId: string /** Undefined when the caller does not say. */; length: number | undefined };

/** The room of one upload; `leave` gives it back. */
export type Room = { take(bytes: number): void; stored(bytes: number): void; leave(): void };

const tooMany = (): ParleyError =>
  new ParleyError('RateLimited', `A person may have ${mostAtOnce} uploads under way: wait for one to end`);

const noRoom = (most: number): ParleyError =>
  new ParleyError('PayloadTooLarge', `All your files together may have ${most} bytes`, [
    { path: 'file', message: `would take more than the ${most} bytes each person has` },
  ]);

/** Counts uploads while they arrive on this server: what is half received fills the disk as well, and is in no row yet.
 * The exact sum is checked once more when a file is complete, as another server may have taken some of the same person. */
export class UploadsInProgress {
  #limits: Limits;
  #sumBytes: (userId: string) => Promise<number>;
  #people = new Map<string, Person>();

  constructor(limits: Limits, sumBytes: (userId: string) => Promise<number>) {
    this.#limits = limits;
    this.#sumBytes = sumBytes;
  }

  noRoom(): ParleyError {
    return noRoom(this.#limits.userBytes);
  }

  /** Refuses what could never fit before a byte of it is read. A server with the secret may send as many at once as it likes. */
  async enter({ userId, length }: Wanted, isServer: boolean): Promise<Room> {
    const { fileBytes, userBytes } = this.#limits;
    if ((length ?? 0) > fileBytes + formBytes) throw tooLarge(fileBytes);
    const person = this.#people.get(userId) ?? { uploads: 0, limited: 0, stored: 0, held: 0 };
    const counts = isServer ? 0 : 1;
    if (person.limited + counts > mostAtOnce) throw tooMany();
    person.uploads++;
    person.limited += counts;
    this.#people.set(userId, person);
    const room = this.#roomOf(userId, person, counts);
    try {
      if (userBytes > 0) person.stored = await this.#sumBytes(userId);
      room.take(length ?? 0);
      return room;
    } catch (error) {
      room.leave();
      throw error;
    }
  }

  #roomOf(userId: string, person: Person, counts: number): Room {
    const { userBytes } = this.#limits;
    let held = 0;
    const hold = (bytes: number): void => {
      person.held += bytes - held;
      held = bytes;
    };
    return {
      /** `bytes` is the whole upload so far, or what it says that it will be. */
      take: (bytes) => {
        if (bytes > held) hold(bytes);
        if (userBytes > 0 && person.stored + person.held > userBytes + formBytes) throw noRoom(userBytes);
      },
      stored: (bytes) => {
        person.stored += bytes;
        hold(0);
      },
      leave: () => {
        hold(0);
        person.uploads--;
        person.limited -= counts;
        if (person.uploads === 0) this.#people.delete(userId);
      },
    };
  }
}
