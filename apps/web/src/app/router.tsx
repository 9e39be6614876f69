import {
  createRootRoute,
  createRoute,
  createRouter,
  parseSearchWith,
  stringifySearchWith,
} from '@tanstack/react-router';
import { type Address, readAddress } from './address.ts';
import { App } from './app.tsx';
import { FaultPage } from './error-page.tsx';
import { history } from './history.ts';

const validateSearch = (given: Record<string, unknown>): Address => readAddress(given);

const root = createRootRoute({ component: App, notFoundComponent: () => null, validateSearch });
const home = createRoute({ getParentRoute: () => root, path: '/' });
const threads = createRoute({ getParentRoute: () => root, path: '/threads' });
const drafts = createRoute({ getParentRoute: () => root, path: '/drafts' });
const reminders = createRoute({ getParentRoute: () => root, path: '/reminders' });
const scheduled = createRoute({ getParentRoute: () => root, path: '/scheduled' });
const deleting = createRoute({ getParentRoute: () => root, path: '/delete' });
const channel = createRoute({ getParentRoute: () => root, path: '/c/$type/$id' });

export const router = createRouter({
  routeTree: root.addChildren([home, threads, drafts, reminders, scheduled, deleting, channel]),
  history,
  // All are texts: a search for 2026 is not a number.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
  // The router's own shows the words of the error, which are for developers: those are in the console.
  defaultErrorComponent: FaultPage,
  defaultPreload: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
