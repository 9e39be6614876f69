import { type CallKey, calls } from '@parley/protocol';
import { expect, test } from 'vitest';
import { compileLate, requestSchemas, validatorOf } from './validators.ts';

test('the schemas of every call compile, and servers of one process share them', () => {
  for (const key of Object.keys(calls) as CallKey[])
    for (const schema of Object.values(requestSchemas(key)))
      expect(validatorOf(schema as object)).toBeTypeOf('function');
  expect(requestSchemas('POST /users')).toBe(requestSchemas('POST /users'));
});

test('a validator answers true, or the first error with its schema', () => {
  const schema = { type: 'object', properties: { name: { type: 'string', errorText: 'must be a name' } } };
  const validate = compileLate({ schema, method: 'POST', url: '/', httpPart: 'body' });

  expect(validate({ name: 'Ana' })).toBe(true);
  expect(validate({ name: 1 })).toMatchObject({
    error: [{ instancePath: '/name', keyword: 'type', parentSchema: { errorText: 'must be a name' } }],
  });
});
