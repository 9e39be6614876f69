const OPERATORS = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$exists',
  '$contains',
  '$autocomplete',
  '$q',
] as const;

export type Operator = (typeof OPERATORS)[number];

export type Scalar = string | number | boolean | null;
export type FilterValue = Scalar | readonly Scalar[];

const isList = (value: FilterValue): value is readonly Scalar[] => Array.isArray(value);

/** The operand as a list, whether it was one or a single value. */
export const asList = (value: FilterValue): readonly Scalar[] => (isList(value) ? value : [value]);

/** `search` is a text of 1–500 characters, `prefix` one of 1–64, `scalar` any of text, number, boolean, `ordered` a text or a number. */
export type ScalarType =
  | 'text'
  | 'id'
  | 'number'
  | 'boolean'
  | 'time'
  | 'search'
  | 'prefix'
  | 'scalar'
  | 'ordered';

/** The operand of an operator: `id`, `id?` (null too), `id[]` (a list), `id?[]` (a list that may hold null). */
export type Shape = ScalarType | `${ScalarType}?` | `${ScalarType}[]` | `${ScalarType}?[]`;

export type OperatorShapes = Readonly<Partial<Record<Operator, Shape>>>;

const BOUNDS = ['$gt', '$gte', '$lt', '$lte'] as const;

export type Bound = (typeof BOUNDS)[number];

export function isBound(operator: Operator): operator is Bound {
  return operator === '$gt' || operator === '$gte' || operator === '$lt' || operator === '$lte';
}

export type ColumnType = 'text' | 'id' | 'number' | 'boolean' | 'time';
export type ColumnOperator = Exclude<Operator, '$contains'>;

const EQUALITY = ['$eq', '$ne', '$exists'] as const;
const LISTS = ['$in', '$nin'] as const;

const DEFAULTS: Readonly<Record<ColumnType, readonly ColumnOperator[]>> = {
  text: [...EQUALITY, ...LISTS, ...BOUNDS, '$autocomplete', '$q'],
  id: [...EQUALITY, ...LISTS, ...BOUNDS],
  number: [...EQUALITY, ...LISTS, ...BOUNDS],
  time: [...EQUALITY, ...BOUNDS],
  boolean: EQUALITY,
};

function columnShape(type: ColumnType, operator: ColumnOperator): Shape {
  if (operator === '$exists') return 'boolean';
  if (operator === '$autocomplete') return 'prefix';
  if (operator === '$q') return 'search';
  if (operator === '$in' || operator === '$nin') return `${type}?[]`;
  return isBound(operator) ? type : `${type}?`;
}

export function columnShapes(type: ColumnType, operators: readonly ColumnOperator[] = DEFAULTS[type]) {
  const shapes: Partial<Record<Operator, Shape>> = {};
  for (const operator of operators) shapes[operator] = columnShape(type, operator);
  return shapes;
}

export const CUSTOM_SHAPES: OperatorShapes = {
  $eq: 'scalar?',
  $ne: 'scalar?',
  $in: 'scalar?[]',
  $nin: 'scalar?[]',
  $gt: 'ordered',
  $gte: 'ordered',
  $lt: 'ordered',
  $lte: 'ordered',
  $exists: 'boolean',
  $contains: 'scalar',
};
