import { expect, test } from 'vitest';
import { routeRuleProblems } from './route-rules.ts';

test('a route that asks for rights or reads tables is found', () => {
  const text = [
    "import type { Route } from '../../http/route.ts';",
    "import { requireCapability } from '../../access/place.ts';",
    "import { findPoll } from './store.ts';",
    "import type { Polls } from './service.ts';",
  ].join('\n');
  expect(routeRuleProblems('routes.ts', text).map((problem) => problem.split(' ')[0])).toEqual([
    'routes.ts:2',
    'routes.ts:3',
  ]);
});
