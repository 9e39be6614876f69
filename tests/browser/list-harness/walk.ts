import { watchPaint } from './frames.ts';

export type Item = { id: string; number: number; words: number; image?: string };

export type Scene = {
  items: () => readonly Item[];
  show: (items: readonly Item[]) => void;
  before: (count: number) => Item[];
  after: (count: number) => Item[];
  feed: () => HTMLElement;
  resize: (inline: number, block: number) => void;
  jump: (key: string) => void;
};

type Held = { key: string; top: number } | 'end';

export type Walked = {
  steps: number;
  frames: number;
  worst: number;
  /** Frames in which the end of the content left no room for the place. */
  clamped: number;
  kinds: Record<string, number>;
  drifts: string[];
};

const randomOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/** An image whose size nobody knows until it has come, some frames later. */
const late = (block: number): string => `late/${block}.svg`;

const leftBelow = (feed: HTMLElement) => feed.scrollHeight - feed.scrollTop - feed.clientHeight;

const rowsIn = (feed: HTMLElement): { key: string; box: DOMRect }[] =>
  Array.from(feed.querySelectorAll<HTMLElement>('[data-key]')).map((row) => ({
    key: row.dataset.key ?? '',
    box: row.getBoundingClientRect(),
  }));

/** The anchor of a reader: the end, the message they went to, or else the first that begins in view. */
const hold = (feed: HTMLElement, target: string | undefined): Held | undefined => {
  if (leftBelow(feed) <= 2) return 'end';
  const { top, bottom } = feed.getBoundingClientRect();
  const seen = rowsIn(feed).filter(({ box }) => box.top >= top - 1 && box.top < bottom);
  const row = seen.find(({ key }) => key === target) ?? seen[0];
  return row && { key: row.key, top: row.box.top - top };
};

/** Undefined where the held row is not drawn at all. */
const driftOf = (feed: HTMLElement, held: Held): number | undefined => {
  if (held === 'end') return leftBelow(feed);
  const row = rowsIn(feed).find(({ key }) => key === held.key);
  return row && row.box.top - feed.getBoundingClientRect().top - held.top;
};

/** A move of the reader's may say which message they went to. */
type Step = { moves: boolean; act: () => unknown };

const steps = (scene: Scene, random: (below: number) => number): Record<string, Step> => {
  const change = (edit: (item: Item) => Item) => {
    const drawn = rowsIn(scene.feed());
    const id = drawn[random(drawn.length)]?.key;
    scene.show(scene.items().map((item) => (item.id === id ? edit(item) : item)));
  };
  const scrollTo = (top: number) => {
    scene.feed().scrollTop = top;
  };
  return {
    prepend: {
      moves: false,
      act: () => scene.show([...scene.before(1 + random(30)), ...scene.items()].slice(0, 500)),
    },
    append: {
      moves: false,
      act: () => scene.show([...scene.items(), ...scene.after(1 + random(4))].slice(-600)),
    },
    resize: { moves: false, act: () => scene.resize(420 + random(500), 400 + random(400)) },
    edit: { moves: false, act: () => change((item) => ({ ...item, words: 1 + random(90) })) },
    image: { moves: false, act: () => change((item) => ({ ...item, image: late(20 + random(300)) })) },
    jump: {
      moves: true,
      act: () => {
        const id = scene.items()[random(scene.items().length)]?.id ?? '';
        scene.jump(id);
        return id;
      },
    },
    scroll: { moves: true, act: () => scrollTo(scene.feed().scrollTop + random(1600) - 800) },
    top: { moves: true, act: () => scrollTo(0) },
    end: { moves: true, act: () => scrollTo(scene.feed().scrollHeight) },
  };
};

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

export type Walk = { steps: number; seed: number; only?: string[]; from?: string };

/** Random steps, one in a frame; whatever is not a move of the reader's must not move what they read. */
export const walk = async (scene: Scene, { steps: count, seed, only, from }: Walk): Promise<Walked> => {
  const random = randomOf(seed);
  const all = steps(scene, random);
  const names = only ?? Object.keys(all);
  if (from !== undefined) scene.jump(from);
  const walked: Walked = { steps: count, frames: 0, worst: 0, clamped: 0, kinds: {}, drifts: [] };
  let held: Held | undefined;
  let name = 'start';
  let isMoving = true;
  let isAtEnd = false;
  let target = from;
  const stop = watchPaint(() => {
    const feed = scene.feed();
    walked.frames += 1;
    const wasAtEnd = isAtEnd;
    isAtEnd = leftBelow(feed) <= 2;
    // A reader with nothing left below, as when the newest message was deleted, is at the end as well.
    if (wasAtEnd && isAtEnd && held !== undefined && Math.abs(driftOf(feed, held) ?? 1e6) > 1) held = 'end';
    const drift = held === undefined ? 0 : (driftOf(feed, held) ?? 1e6);
    const isAway = Math.abs(drift) > 1;
    // A scroll that goes nowhere, as at the very top, leaves what is held.
    if (isMoving && (isAway || target !== undefined)) held = undefined;
    held ??= hold(feed, target);
    if (isMoving) return;
    const isClamped = held !== 'end' && drift > 1 && leftBelow(feed) <= 2;
    if (isClamped) walked.clamped += 1;
    else walked.worst = Math.max(walked.worst, Math.abs(drift));
    if (isAway && !isClamped) walked.drifts.push(`${name} ${JSON.stringify(held)} ${drift.toFixed(1)}`);
    if (isAway) held = hold(feed, held === 'end' ? undefined : held?.key);
  });
  for (let index = 0; index < count; index += 1) {
    await nextFrame();
    isMoving = false;
    // At the very top a page comes at once, as it does for a reader who pulls there.
    name = name === 'top' ? 'prepend' : (names[random(names.length)] ?? 'append');
    walked.kinds[name] = (walked.kinds[name] ?? 0) + 1;
    isMoving = all[name]?.moves ?? false;
    const went = all[name]?.act();
    if (!isMoving) continue;
    target = typeof went === 'string' ? went : undefined;
    // The list gets a scroll event in the frame after the scroll, as for any reader.
    await nextFrame();
  }
  for (let rest = 0; rest < 10; rest += 1) await nextFrame();
  stop();
  return walked;
};
