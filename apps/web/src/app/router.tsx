import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { App } from './app.tsx';

type Search = { thread?: string; m?: string; panel?: string; locale?: string };

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const validateSearch = (given: Record<string, unknown>): Search => {
  const entries = (['thread', 'm', 'panel', 'locale'] as const).map(
    (key) => [key, text(given[key])] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
};

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
  defaultPreload: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
