import type { Outgoing } from '../bus/link-text.ts';
import type { Clock } from '../lib/clock.ts';
import { Elsewhere } from './elsewhere.ts';
import type { Sender } from './sender.ts';

type Deps = { clock: Clock; sender: Pick<Sender, 'send'>; isShared(): boolean };
type PresenceText = Extract<Outgoing, { kind: 'present' | 'online' | 'offline' }>;
type OnChange = (userIds: string[], isServerDead: boolean) => void;

const usersPerText = 100;
/** How long the users of a server that left count as online: they connect to another one meanwhile. */
const moveMs = 6000;

/** The users who are online here, and those on other servers. Each server says who came to it and who went, and finds out by itself what that
 * changes: where two servers lose a user at the same moment, each would count on the other to say so. */
export class UsersOnline {
  #deps: Deps;
  #here = new Set<string>();
  #elsewhere = new Elsewhere();
  #moving = new Set<{ stop(): void }>();
  #onChange: OnChange = () => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Users who came online or went offline on all servers together by what another server said, or by its end. */
  onChange(listener: OnChange): void {
    this.#onChange = listener;
  }

  isElsewhere(userId: string): boolean {
    return this.#elsewhere.has(userId);
  }

  set(userId: string, isOnline: boolean): void {
    if (isOnline) this.#here.add(userId);
    else this.#here.delete(userId);
    const { sender, isShared } = this.#deps;
    if (isShared()) sender.send('all', { kind: isOnline ? 'online' : 'offline', userIds: [userId] });
  }

  /** Sends all servers, or one, who is online here. */
  sendAll(to: 'all' | `server ${string}` = 'all'): void {
    const userIds = [...this.#here];
    for (let start = 0; start === 0 || start < userIds.length; start += usersPerText)
      this.#deps.sender.send(to, {
        kind: 'present',
        userIds: userIds.slice(start, start + usersPerText),
        isFirst: start === 0,
        isLast: start + usersPerText >= userIds.length,
      });
  }

  receive(from: string, message: PresenceText): void {
    const { kind, userIds } = message;
    if (kind === 'present') this.#change(this.#elsewhere.list(from, message));
    else if (kind === 'online') this.#change(userIds.filter((userId) => this.#elsewhere.add(from, userId)));
    else this.#change(userIds.filter((userId) => this.#elsewhere.remove(from, userId)));
  }

  onGone(serverId: string, isDead: boolean): void {
    const drop = () => this.#change(this.#elsewhere.drop(serverId), isDead);
    if (isDead) {
      drop();
      return;
    }
    const timer = this.#deps.clock.setTimeout(() => {
      this.#moving.delete(timer);
      drop();
    }, moveMs);
    this.#moving.add(timer);
  }

  stop(): void {
    for (const timer of this.#moving) timer.stop();
  }

  #change(userIds: string[], isServerDead = false): void {
    const changed = userIds.filter((userId) => !this.#here.has(userId));
    if (changed.length > 0) this.#onChange(changed, isServerDead);
  }
}
