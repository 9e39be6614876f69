import type { JsonSchema } from '@parley/protocol';
import { type Html, html, prose } from './docs-html.ts';

type Schemas = Record<string, JsonSchema>;
type Row = { name: string; depth: number; required: boolean; schema: JsonSchema };

const refPrefix = '#/components/schemas/';
const refName = (schema: JsonSchema): string | undefined => schema.$ref?.slice(refPrefix.length);

const joined = (parts: Html[], between: string): Html[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [html`${between}`, part]));

const literal = (value: unknown): Html => html`<code>${JSON.stringify(value)}</code>`;

const valueOfMap = (schema: JsonSchema): JsonSchema | undefined => {
  const patterned = Object.values(schema.patternProperties ?? {})[0];
  if (patterned) return patterned;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
};

/** The type of a value in words, with a link to each shape that has a name. */
export const typeOf = (schema: JsonSchema): Html => {
  const name = refName(schema);
  if (name !== undefined) return html`<a href="#shape-${name}">${name}</a>`;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return html`${joined(schema.enum.map(literal), ' or ')}`;
  if (schema.anyOf) return html`${joined(schema.anyOf.map(typeOf), ' or ')}`;
  if (schema.type === 'array') return html`list of ${typeOf(schema.items ?? {})}`;
  const value = valueOfMap(schema);
  if (value) return html`map of ${typeOf(value)}`;
  return html`${schema.type ?? 'any'}`;
};

const count = (value: number): string => value.toLocaleString('en-GB').replaceAll(',', '\u202f');

const span = (min: number | undefined, max: number | undefined, unit: string): string[] => {
  if (min !== undefined && max !== undefined) return [`${count(min)} to ${count(max)}${unit}`];
  if (max !== undefined) return [`at most ${count(max)}${unit}`];
  return min === undefined ? [] : [`at least ${count(min)}${unit}`];
};

const limitsOf = (schema: JsonSchema): string => {
  const words = schema['x-error-text'];
  return [
    ...(words === undefined ? span(schema.minLength, schema.maxLength, ' characters') : [words]),
    ...span(schema.minItems, schema.maxItems, ' items'),
    ...span(undefined, schema.maxProperties, ' entries'),
    ...span(schema.minimum, schema.maximum, ''),
    ...(words === undefined && schema.pattern ? [`matches ${schema.pattern}`] : []),
    ...(schema.type === 'object' && schema.additionalProperties === true ? ['and custom data'] : []),
  ].join('; ');
};

/** The object whose fields are worth showing below a value: itself, or what its list holds. */
const inside = (schema: JsonSchema): { schema: JsonSchema; suffix: string } | undefined => {
  if (schema.properties) return { schema, suffix: '' };
  if (schema.items?.properties) return { schema: schema.items, suffix: '[]' };
  return undefined;
};

const rowsOf = (schema: JsonSchema, prefix: string, depth: number, open: Schemas): Row[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const required = (schema.required ?? []).includes(key);
    const target = open[refName(property) ?? ''] ?? property;
    const inner = depth < 3 ? inside(target) : undefined;
    const below = inner ? rowsOf(inner.schema, `${name}${inner.suffix}.`, depth + 1, {}) : [];
    return [{ name, depth, required, schema: property }, ...below];
  });

const rowHtml = ({ name, depth, required, schema }: Row, isReply: boolean): Html => {
  const mark = isReply ? !required && 'not always' : required && 'required';
  return html`<tr class="d${depth}"><td><code>${name}</code>${mark ? html` <b class="req">${mark}</b>` : ''}</td>
<td>${typeOf(schema)}</td><td>${prose(schema.description ?? '')}</td>
<td class="limits">${limitsOf(schema)}</td></tr>`;
};

const table = (rows: Html[]): Html => html`<div class="scroll"><table class="fields">
<thead><tr><th>Field</th><th>Type</th><th>Description</th><th>Limits</th></tr></thead><tbody>${rows}</tbody></table></div>`;

/** A table of the fields of an object, nested ones below their parent; `open` are named shapes to unfold in place. */
export const fieldsTable = (schema: JsonSchema, open: Schemas, isReply = false): Html => {
  if (schema.$ref) return html`<p>${typeOf(schema)}</p>`;
  const rows = rowsOf(schema, '', 0, open);
  if (rows.length > 0) return table(rows.map((row) => rowHtml(row, isReply)));
  const text = limitsOf(schema);
  if (schema.type === 'object') return html`<p class="none">An empty object.</p>`;
  return html`<p>${typeOf(schema)}${text === '' ? '' : `: ${text}`}</p>`;
};

type Parameter = { name: string; in: string; required: boolean; description?: string; schema: JsonSchema };

export const parametersTable = (parameters: Parameter[]): Html =>
  table(
    parameters.map(
      ({ name, in: place, required, description, schema }) => html`<tr>
<td><code>${name}</code> <small>${place}</small>${required ? html` <b class="req">required</b>` : ''}</td>
<td>${typeOf(schema)}</td><td>${prose(description ?? '')}</td>
<td class="limits">${limitsOf(schema)}</td></tr>`,
    ),
  );
