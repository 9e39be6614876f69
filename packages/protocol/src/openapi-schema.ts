import type { TSchema } from 'typebox';
import { nameOf } from './record.ts';

/** A JSON Schema (2020-12) as it stands in an OpenAPI 3.1 document. */
export type JsonSchema = {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  description?: string;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  minimum?: number;
  maximum?: number;
  'x-error-text'?: string;
};

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const anyKey = '^.*$';
const typeOfValues = (values: readonly unknown[]): JsonSchema => {
  const types = new Set(values.map((value) => typeof value));
  if (types.size !== 1) return {};
  if (types.has('string')) return { type: 'string' };
  return types.has('number') && values.every(Number.isInteger) ? { type: 'integer' } : {};
};

type Source = JsonSchema & { errorText?: string };

/** Translates our schemas to plain JSON Schema. Each schema with a name becomes a reference, and `named` holds what the
 * references lead to: whatever the calls and events use is found by translating them. */
export class SchemaTranslator {
  readonly named = new Map<string, JsonSchema>();

  translate(schema: TSchema): JsonSchema {
    const source: Source = schema;
    const name = nameOf(source);
    if (name === undefined) return this.#plain(source);
    const { description, ...own } = source;
    if (!this.named.has(name)) {
      // The record is named before its parts, so that a record inside itself ends in a reference.
      this.named.set(name, {});
      this.named.set(name, this.#plain(own));
    }
    return { ...refTo(name), ...(description === undefined ? {} : { description }) };
  }

  #plain(source: Source): JsonSchema {
    const { errorText, properties, patternProperties, additionalProperties, items, anyOf, ...rest } = source;
    const { [anyKey]: anyValue, ...patterned } = patternProperties ?? {};
    const rule = anyValue ?? additionalProperties;
    return {
      ...(rest.enum && rest.type === undefined ? typeOfValues(rest.enum) : {}),
      // The copy goes through text, so that nothing is shared with the registry.
      ...JSON.parse(JSON.stringify(rest)),
      ...(items ? { items: this.translate(items) } : {}),
      ...(anyOf ? { anyOf: anyOf.map((one) => this.translate(one)) } : {}),
      ...(properties ? { properties: this.#values(properties) } : {}),
      ...(Object.keys(patterned).length > 0 ? { patternProperties: this.#values(patterned) } : {}),
      ...(rule === undefined
        ? {}
        : { additionalProperties: typeof rule === 'boolean' ? rule : this.translate(rule) }),
      ...(errorText === undefined ? {} : { 'x-error-text': errorText }),
    };
  }

  #values(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, this.translate(schema)]));
  }
}
