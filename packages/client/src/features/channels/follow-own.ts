/** The rights and marks of the own user in a channel. Events do not carry them: they are asked for where one changes them. */
import type { Core } from '../../core.ts';
import { after } from '../../environment.ts';
import { late } from '../../load-late.ts';
import type { Unsubscribe } from '../../readable.ts';
import { askQuietly } from '../../retry.ts';

export const askOwn = (core: Core, cid: string): Promise<void> => late(core, 'own', 'ask').ask(cid);

/** All watchers get the event of a freeze at once: the larger the channel, the more their calls are spread. */
const spread = (members: number): number => Math.min(3000, members * 3);

/** Asks anew when an event changed what the own user may do; returns its stop. */
export const followOwnPart = (core: Core): Unsubscribe => {
  const { clock, random } = core.environment;
  const waiting = new Map<string, () => void>();
  const ask = async (cid: string) => {
    waiting.delete(cid);
    await askQuietly(core, 'Own rights', async () => {
      if (core.store.confirmed(cid)) await askOwn(core, cid);
    });
  };
  const plan = (cid: string, ms: number) => {
    if (waiting.has(cid)) return;
    waiting.set(
      cid,
      after(clock, ms, () => void ask(cid)),
    );
  };
  const onMember = ({ cid, member }: { cid?: string; member: { user_id: string } }) => {
    if (cid !== undefined && core.store.confirmed(cid)?.ownId === member.user_id) plan(cid, 0);
  };
  const stop = core.events.listen({
    'channel.updated': ({ cid = '' }) => {
      const channel = core.store.confirmed(cid)?.channel;
      if (channel && !channel.own_capabilities) plan(cid, random() * spread(channel.member_count));
    },
    'member.added': onMember,
    'member.updated': onMember,
  });
  return () => {
    stop();
    for (const stop of waiting.values()) stop();
    waiting.clear();
  };
};
