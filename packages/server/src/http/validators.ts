import createCompiler from '@fastify/ajv-compiler';
import { type CallKey, type CallSpec, callSchemas, calls } from '@parley/protocol';
import type { FastifySchemaCompiler } from 'fastify';

const compile = createCompiler()(
  {},
  {
    customOptions: {
      coerceTypes: false,
      removeAdditional: false,
      useDefaults: false,
      // The first error ends it: to name every wrong item of 1 MiB would hold the loop for most of a second.
      allErrors: false,
      verbose: true,
    },
    plugins: [(ajv) => ajv.addKeyword('errorText')],
  },
);

type Validator = ReturnType<typeof compile>;

const compiled = new WeakMap<object, Validator>();

/** The compiled schema; servers of one process share it. */
export const validatorOf = (schema: object): Validator => {
  const known = compiled.get(schema);
  if (known) return known;
  const validator = compile({ schema });
  compiled.set(schema, validator);
  return validator;
};

/** Compiles a schema when its first input arrives: compiling those of all calls took most of the time of a start. */
export const compileLate: FastifySchemaCompiler<object> =
  ({ schema }) =>
  (input: unknown) => {
    const validator = validatorOf(schema);
    return validator(input) === true || { error: validator.errors ?? [] };
  };

type RequestSchemas = { querystring: object; params?: object; body?: object };

const requests = new Map<CallKey, RequestSchemas>();

/** The schemas of a call's request, the same objects for every server of the process. */
export const requestSchemas = (key: CallKey): RequestSchemas => {
  const known = requests.get(key);
  if (known) return known;
  const spec: CallSpec = calls[key];
  const { params, query, body } = callSchemas(key, spec);
  const made = { querystring: query, ...(params ? { params } : {}), ...(body ? { body } : {}) };
  requests.set(key, made);
  return made;
};
