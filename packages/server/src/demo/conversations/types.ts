export type DemoUser = {
  id: string;
  name: string;
  role: 'admin' | 'moderator' | 'user';
  image?: undefined;
  title: string;
  about: string;
  timezone: string;
};

type DemoReaction = 'like' | 'love' | 'haha' | 'wow' | 'sad' | 'thanks' | 'fire' | 'party' | 'eyes' | 'check';

/** Options with who chose them; comments by their author. */
export type DemoPoll = {
  name: string;
  options: readonly { text: string; votes: readonly string[] }[];
  comments?: Readonly<Record<string, string>>;
};

/** Made when the demo is: drawn, written or sung by `files.ts`. */
export type DemoFile = {
  /** Its name for people, and by its ending what it is. */
  name: string;
  made: 'scene' | 'sketch' | 'chart' | 'sheet' | 'page' | 'voice' | 'tune';
  /** Other numbers make other pictures. */
  seed?: number;
  /** Width and height of a picture. */
  size?: readonly [number, number];
};

export type DemoMessage = {
  /** Names this message within its channel, for `quote` and `replyTo`. */
  key?: string;
  by: string;
  /** Falls strictly through a channel's list; may be a fraction where people type fast. */
  minutesAgo: number;
  /** Key of the message whose thread this belongs to. */
  replyTo?: string;
  /** Key of the message quoted. */
  quote?: string;
  system?: true;
  edited?: true;
  deleted?: true;
  /** A mention is written as `@` and the person's full name; `mentions` holds the id. */
  text: string;
  mentions?: readonly string[];
  poll?: DemoPoll;
  files?: readonly DemoFile[];
  /** Where its author was. */
  location?: { latitude: number; longitude: number };
  reactions?: { readonly [type in DemoReaction]?: readonly string[] };
};

type DemoChannelBase = {
  type: 'messaging' | 'team' | 'livestream' | 'gaming' | 'commerce';
  name?: string;
  image?: undefined;
  topic?: string;
  members: readonly string[];
  createdBy: string;
  messages: readonly DemoMessage[];
  openTo?: 'everyone';
};

type DemoNamedChannel = DemoChannelBase & { id: string; direct?: undefined };

/** Known by its members alone: the server derives the id. */
export type DemoDirectChannel = DemoChannelBase & { direct: true; id?: undefined };

export type DemoChannel = DemoNamedChannel | DemoDirectChannel;

export type DemoWorld = { users: readonly DemoUser[]; channels: readonly DemoChannel[] };
