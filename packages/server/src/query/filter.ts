import { ParleyError } from '@parley/protocol/errors';
import { limits } from '@parley/protocol/limits';
import { nearMiss } from '../lib/near-miss.ts';
import { isRecord } from '../lib/objects.ts';
import type { Field, ResourceFields } from './fields.ts';
import type { FilterValue, Operator } from './operators.ts';
import { refusal } from './refusal.ts';
import { parseValue } from './values.ts';

const MAX_NAME_SHOWN = 80;

export interface FilterLeaf<C> {
  readonly kind: 'leaf';
  readonly name: string;
  readonly field: Field<C>;
  readonly operator: Operator;
  readonly value: FilterValue;
}

export interface FilterGroup<C> {
  readonly kind: '$and' | '$or' | '$nor';
  readonly nodes: readonly FilterNode<C>[];
}

export type FilterNode<C> = FilterLeaf<C> | FilterGroup<C>;

interface Walk<C> {
  readonly fields: ResourceFields<C>;
  readonly issues: { path: string; message: string }[];
  leaves: number;
  textSearches: number;
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

function tooComplex(path: string, message: string): ParleyError {
  return new ParleyError('QueryTooComplex', `The filter is too complex: ${message}`, [{ path, message }]);
}

function countLeaf<C>(walk: Walk<C>, path: string): void {
  walk.leaves += 1;
  if (walk.leaves > limits.filterLeaves)
    throw tooComplex(path, `at most ${limits.filterLeaves} conditions are allowed`);
}

/** Each may have to look at every row, whatever the other conditions say. */
function countTextSearch<C>(walk: Walk<C>, operator: Operator, path: string): void {
  if (operator !== '$autocomplete' && operator !== '$q') return;
  walk.textSearches += 1;
  if (walk.textSearches > limits.filterTextSearches)
    throw tooComplex(path, `at most ${limits.filterTextSearches} of $autocomplete and $q are allowed`);
}

function isOperatorOf<C>(field: Field<C>, name: string): name is Operator {
  return Object.hasOwn(field.operators, name);
}

function shown(name: string): string {
  return name.length > MAX_NAME_SHOWN ? `${name.slice(0, MAX_NAME_SHOWN)}…` : name;
}

function isGroupName(name: string): name is FilterGroup<unknown>['kind'] {
  return name === '$and' || name === '$or' || name === '$nor';
}

function parseLeaf<C>(
  walk: Walk<C>,
  target: { name: string; field: Field<C>; path: string },
  operatorName: string,
  raw: unknown,
): FilterLeaf<C>[] {
  const { name, field, path } = target;
  const shape = isOperatorOf(field, operatorName) ? field.operators[operatorName] : undefined;
  if (shape === undefined || !isOperatorOf(field, operatorName)) {
    const allowed = Object.keys(field.operators).join(' ');
    walk.issues.push({ path, message: `is not an operator of ${name}; allowed: ${allowed}` });
    return [];
  }
  const parsed = parseValue(shape, raw);
  if ('value' in parsed) {
    countTextSearch(walk, operatorName, path);
    return [{ kind: 'leaf', name, field, operator: operatorName, value: parsed.value }];
  }
  walk.issues.push({
    path: parsed.at === undefined ? path : `${path}[${parsed.at}]`,
    message: parsed.problem,
  });
  return [];
}

function filterableNames<C>(fields: ResourceFields<C>): string[] {
  return fields.names.filter((each) => Object.keys(fields.find(each)?.operators ?? {}).length > 0);
}

/** Why the name cannot be filtered by. Custom data may have any name, so a slip would be taken for it and find nothing. */
function problemOf<C>(
  fields: ResourceFields<C>,
  name: string,
  field: Field<C> | undefined,
): string | undefined {
  const { resource } = fields;
  if (!field || Object.keys(field.operators).length === 0) {
    const meant = nearMiss(name, filterableNames(fields));
    const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    return `is not a filterable field of ${resource}${hint}; allowed: ${filterableNames(fields).join(' ')}`;
  }
  const meant = field.type === 'custom' ? nearMiss(name, filterableNames(fields)) : undefined;
  return meant === undefined
    ? undefined
    : `is not a field of ${resource}: did you mean ${meant}? Custom data of that name is custom.${name}`;
}

function parseField<C>(walk: Walk<C>, name: string, raw: unknown, path: string): FilterLeaf<C>[] {
  const field = walk.fields.find(name);
  const entries: [string, unknown][] = isRecord(raw) ? Object.entries(raw) : [['$eq', raw]];
  if (entries.length === 0) countLeaf(walk, path);
  for (const _ of entries) countLeaf(walk, path);
  const problem = problemOf(walk.fields, name, field);
  if (!field || problem !== undefined) {
    walk.issues.push({ path, message: problem ?? '' });
    return [];
  }
  if (entries.length === 0) walk.issues.push({ path, message: 'must be a value or hold an operator' });
  return entries.flatMap(([operator, value]) => {
    const at = isRecord(raw) ? `${path}.${shown(operator)}` : path;
    return parseLeaf(walk, { name, field, path: at }, operator, value);
  });
}

function parseGroup<C>(
  walk: Walk<C>,
  kind: FilterGroup<C>['kind'],
  raw: unknown,
  place: Place,
): FilterGroup<C> {
  const { path, depth } = place;
  if (depth > limits.filterDepth)
    throw tooComplex(path, `at most ${limits.filterDepth} levels of nesting are allowed`);
  if (!Array.isArray(raw) || raw.length === 0) {
    countLeaf(walk, path);
    walk.issues.push({ path, message: 'must be a list of at least one filter' });
    return { kind, nodes: [] };
  }
  const nodes = raw.map((each: unknown, index) =>
    parseNode(walk, each, { path: `${path}[${index}]`, depth }),
  );
  return { kind, nodes };
}

// Recursion is bounded: a level down is taken only through a group, and parseGroup refuses the sixth.
function parseNode<C>(walk: Walk<C>, raw: unknown, place: Place): FilterNode<C> {
  const { path, depth } = place;
  const nodes: FilterNode<C>[] = [];
  if (!isRecord(raw)) {
    countLeaf(walk, path);
    walk.issues.push({ path, message: 'must be an object' });
    return { kind: '$and', nodes };
  }
  const names = Object.keys(raw);
  if (names.length === 0) countLeaf(walk, path);
  for (const name of names) {
    const at = `${path}.${shown(name)}`;
    if (isGroupName(name)) nodes.push(parseGroup(walk, name, raw[name], { path: at, depth: depth + 1 }));
    else nodes.push(...parseField(walk, name, raw[name], at));
  }
  return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: '$and', nodes };
}

/**
 * Checks a filter from the wire. What is missing: `{$eq: null}` and `{$exists: false}` match a value that is null or
 * absent; `$ne`, `$nin` and `$nor` match it too, being exact opposites of `$eq`, `$in` and `$or`; no other operator does.
 * An empty `$in` matches nothing, an empty `$nin` everything, and so does an empty filter.
 */
export function parseFilter<C>(raw: unknown, fields: ResourceFields<C>): FilterNode<C> {
  if (raw === undefined || raw === null) return { kind: '$and', nodes: [] };
  const walk: Walk<C> = { fields, issues: [], leaves: 0, textSearches: 0 };
  const node = parseNode(walk, raw, { path: 'filter', depth: 0 });
  const [first, ...others] = walk.issues;
  if (first) throw refusal(first, ...others);
  return node;
}

/** The same text for filters that differ only in the order of their parts. */
export function canonicalFilter<C>(node: FilterNode<C>): string {
  if (node.kind === 'leaf') return JSON.stringify([node.name, node.operator, node.value]);
  return `${node.kind}(${node.nodes.map(canonicalFilter).sort().join()})`;
}
