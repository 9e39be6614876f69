import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { UserCache } from '../users/cache.ts';
import { createReadCounter, type ReadCounter } from './counts.ts';
import { Receipts } from './receipts.ts';
import { readsRoutes } from './routes.ts';
import { Reads } from './service.ts';

type Deps = { kernel: Kernel; access: Access; users: UserCache };
type ReadServices = { reads: Reads; counter: ReadCounter };

export const createReads = ({ kernel, access, users }: Deps): Feature<ReadServices> => {
  const counter = createReadCounter(kernel);
  const reads = new Reads(kernel, access, counter);
  const receipts = new Receipts({ kernel, access, users });
  return {
    service: { reads, counter },
    routes: (routes) => readsRoutes(routes, reads, receipts),
    stop: counter.stop,
  };
};
