import type { BareTarget, ParleyTarget, Plan } from './jobs.ts';
import type { Server } from './processes.ts';
import type { Row } from './report.ts';

/** The input and the result of every measurement. */
export type Bench = {
  plan: Plan;
  databaseUrl: string;
  parley: ParleyTarget;
  bare: BareTarget;
  /** A second server on the same database, untouched by load. */
  startFreshParley(): Promise<Server<ParleyTarget>>;
  /** One on another database; its bus is that of the database and its build the one under test unless others are named. */
  startParleyOn(
    databaseUrl: string,
    options?: { busUrl?: string | undefined; main?: string },
  ): Promise<Server<ParleyTarget>>;
  /** The `main.ts` of another build, to compare with. */
  against: string | undefined;
  /** A folder that outlives the run. */
  cache: string;
};

export type Measured = { rows: Row[]; raw: unknown; blemishes: string[] };
