import { anaBo } from './conversations/ana-bo.ts';
import { anaOmar } from './conversations/ana-omar.ts';
import { anaPriya } from './conversations/ana-priya.ts';
import { birthday } from './conversations/birthday.ts';
import { boPriya } from './conversations/bo-priya.ts';
import { boYuki } from './conversations/bo-yuki.ts';
import { design } from './conversations/design.ts';
import { gameNight } from './conversations/game-night.ts';
import { generalLaunch } from './conversations/general-launch.ts';
import { generalPlans } from './conversations/general-plans.ts';
import { launch } from './conversations/launch.ts';
import { order4172 } from './conversations/order-4172.ts';
import { priyaTomasz } from './conversations/priya-tomasz.ts';
import { random } from './conversations/random.ts';
import { shippingIncident } from './conversations/shipping-incident.ts';
import { shippingRelease } from './conversations/shipping-release.ts';
import type { DemoChannel, DemoDirectChannel, DemoMessage, DemoWorld } from './conversations/types.ts';
import { people } from './people.ts';

const everyone = people.map((person) => person.id);
const coop = everyone.filter((id) => id !== 'elif');

const rooms: readonly DemoChannel[] = [
  {
    type: 'team',
    id: 'general',
    name: 'general',
    topic: 'Puddlejump, a co-operative of people who make bikes and share them. Bikes, birds, business.',
    members: coop,
    createdBy: 'ana',
    openTo: 'everyone',
    messages: [...generalPlans, ...generalLaunch],
  },
  {
    type: 'team',
    id: 'design',
    name: 'design',
    topic: 'Shapes, sounds and words. Has to work with gloves on.',
    members: coop,
    createdBy: 'yuki',
    messages: design,
  },
  {
    type: 'team',
    id: 'shipping',
    name: 'shipping',
    topic: 'Releases, incidents and the polite wall.',
    members: coop,
    createdBy: 'tomasz',
    messages: [...shippingIncident, ...shippingRelease],
  },
  {
    type: 'team',
    id: 'random',
    name: 'random',
    topic: 'Do not feed Gerald.',
    members: coop,
    createdBy: 'dara',
    openTo: 'everyone',
    messages: random,
  },
  {
    type: 'livestream',
    id: 'heron-launch',
    name: 'The Heron, live',
    topic: 'A cargo bike, a workshop, two plants. Be kind, be curious.',
    members: everyone,
    createdBy: 'dara',
    openTo: 'everyone',
    messages: launch,
  },
  {
    type: 'gaming',
    id: 'game-night',
    name: 'Game night',
    topic: 'Room code KAKAPO. It is always a game about hats.',
    members: ['kiri', 'leo', 'priya', 'dara', 'sam', 'tomasz', 'yuki'],
    createdBy: 'kiri',
    openTo: 'everyone',
    messages: gameNight,
  },
  {
    type: 'commerce',
    id: 'order-4172',
    name: 'Order 4172: one Wren, folding',
    topic: 'Puddlejump shop',
    members: ['elif', 'leo', 'mei'],
    createdBy: 'elif',
    messages: order4172,
  },
];

function direct(members: readonly string[], messages: readonly DemoMessage[]): DemoDirectChannel {
  return { type: 'messaging', direct: true, members, createdBy: messages[0]?.by ?? '', messages };
}

const directs: readonly DemoChannel[] = [
  { ...direct(['dara', 'ana', 'bo', 'priya', 'kiri'], birthday), name: 'Operation Pierogi' },
  direct(['ana', 'bo'], anaBo),
  direct(['ana', 'priya'], anaPriya),
  direct(['ana', 'omar'], anaOmar),
  direct(['bo', 'priya'], boPriya),
  direct(['bo', 'yuki'], boYuki),
  direct(['priya', 'tomasz'], priyaTomasz),
];

/** Puddlejump Co-op on launch day: what a newcomer finds in a fresh demo. */
export const demoWorld: DemoWorld = { users: people, channels: [...rooms, ...directs] };
