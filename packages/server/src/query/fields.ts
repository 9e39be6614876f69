import { type Expression, type SqlBool, sql } from 'kysely';
import { type Column, compileColumn, negate, type SqlType } from './column-sql.ts';
import { compileCustom } from './custom-sql.ts';
import {
  type ColumnOperator,
  type ColumnType,
  CUSTOM_SHAPES,
  columnShapes,
  type FilterValue,
  type Operator,
  type OperatorShapes,
} from './operators.ts';

export interface QueryContext {
  readonly actorId: string | null;
}

/** A column (`'channels.name'`), an SQL expression, or one that depends on who asks. */
export type Ref<C> = string | Expression<unknown> | ((context: C) => Expression<unknown>);

export interface SortColumn<C> {
  readonly nullable: boolean;
  readonly sqlType: SqlType;
  readonly expression: (context: C) => Expression<unknown>;
}

export interface Field<C> {
  readonly type: ColumnType | 'relation' | 'custom';
  readonly operators: OperatorShapes;
  readonly compile: (operator: Operator, value: FilterValue, context: C) => Expression<SqlBool>;
  readonly sort?: SortColumn<C>;
}

export interface FieldOptions {
  /** Replaces the type's default operators; `[]` makes the field sort-only. */
  readonly operators?: readonly ColumnOperator[];
  /** Present when the field may be sorted by. A wrong `nullable: false` loses rows between pages. */
  readonly sort?: { readonly nullable: boolean };
}

export interface TextFieldOptions<C> extends FieldOptions {
  readonly tsvector?: Ref<C>;
}

export interface NumberFieldOptions extends FieldOptions {
  readonly sqlType?: 'bigint' | 'double precision' | 'numeric';
}

function resolve<C>(ref: Ref<C>): (context: C) => Expression<unknown> {
  if (typeof ref === 'function') return ref;
  const expression = typeof ref === 'string' ? sql.ref(ref) : ref;
  return () => expression;
}

interface ColumnSpec<C> {
  readonly type: ColumnType;
  readonly sqlType: SqlType;
  readonly tsvector?: Ref<C> | undefined;
}

function columnField<C>(ref: Ref<C>, spec: ColumnSpec<C>, options: FieldOptions): Field<C> {
  const expression = resolve(ref);
  const vector = spec.tsvector === undefined ? undefined : resolve(spec.tsvector);
  const column = (context: C): Column => ({
    expression: expression(context),
    sqlType: spec.sqlType,
    ...(vector && { tsvector: vector(context) }),
  });
  return {
    type: spec.type,
    operators: columnShapes(spec.type, options.operators),
    compile: (operator, value, context) => compileColumn(column(context), operator, value),
    ...(options.sort && { sort: { nullable: options.sort.nullable, sqlType: spec.sqlType, expression } }),
  };
}

export function textField<C = unknown>(ref: Ref<C>, options: TextFieldOptions<C> = {}): Field<C> {
  return columnField(ref, { type: 'text', sqlType: 'text', tsvector: options.tsvector }, options);
}

export function idField<C = unknown>(ref: Ref<C>, options: FieldOptions = {}): Field<C> {
  return columnField(ref, { type: 'id', sqlType: 'text' }, options);
}

export function numberField<C = unknown>(ref: Ref<C>, options: NumberFieldOptions = {}): Field<C> {
  return columnField(ref, { type: 'number', sqlType: options.sqlType ?? 'bigint' }, options);
}

export function boolField<C = unknown>(ref: Ref<C>, options: FieldOptions = {}): Field<C> {
  return columnField(ref, { type: 'boolean', sqlType: 'boolean' }, options);
}

export function timeField<C = unknown>(ref: Ref<C>, options: FieldOptions = {}): Field<C> {
  return columnField(ref, { type: 'time', sqlType: 'timestamptz' }, options);
}

export interface RelationOptions<C> {
  readonly operators: OperatorShapes;
  readonly compile: (operator: Operator, value: FilterValue, context: C) => Expression<SqlBool>;
}

/**
 * A field answered by a condition of its own, mostly an `exists (…)`. `compile` never sees a negative: `$ne`, `$nin`
 * and `$exists: false` are the negation of what it gives for `$eq`, `$in` and `$exists: true`.
 */
export function relationField<C = QueryContext>({ operators, compile }: RelationOptions<C>): Field<C> {
  return {
    type: 'relation',
    operators,
    compile: (operator, value, context) => {
      if (operator === '$ne') return negate(compile('$eq', value, context));
      if (operator === '$nin') return negate(compile('$in', value, context));
      if (operator === '$exists' && value === false) return negate(compile('$exists', true, context));
      return compile(operator, value, context);
    },
  };
}

export interface SortRule {
  readonly field: string;
  readonly direction: 1 | -1;
}

export interface ResourceOptions<C> {
  /** The noun, part of every cursor, such as `channels`. */
  readonly resource: string;
  /** A declared, unique, never-null, sortable field: without it equal rows would be lost between pages. */
  readonly tieBreaker: string;
  readonly defaultSort: readonly SortRule[];
  /** The jsonb column of custom data; absent means unknown field names are refused. */
  readonly custom?: Ref<C>;
  /** The schema of a record: its names are never custom data, so those that are not declared are refused, too. */
  readonly record?: { readonly properties: Readonly<Record<string, unknown>> };
}

export interface ResourceFields<C> {
  readonly resource: string;
  readonly tieBreaker: string;
  readonly defaultSort: readonly SortRule[];
  readonly names: readonly string[];
  readonly find: (name: string) => Field<C> | undefined;
}

/** Says that custom data is meant, for a key that looks like a slip of a field's name. */
const CUSTOM_PREFIX = 'custom.';
const CUSTOM_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

function customField<C>(data: (context: C) => Expression<unknown>, key: string): Field<C> {
  return {
    type: 'custom',
    operators: CUSTOM_SHAPES,
    compile: (operator, value, context) => compileCustom({ data: data(context), key }, operator, value),
  };
}

export function defineFields<C = QueryContext>(
  declared: Readonly<Record<string, Field<C>>>,
  options: ResourceOptions<C>,
): ResourceFields<C> {
  const { custom, resource, tieBreaker, defaultSort } = options;
  const taken = new Set(Object.keys(options.record?.properties ?? {}));
  const fields = new Map(Object.entries(declared));
  const data = custom === undefined ? undefined : resolve(custom);
  if (fields.get(tieBreaker)?.sort?.nullable !== false) {
    throw new TypeError(`${resource}: the tie-breaker ${tieBreaker} must be sortable and not nullable`);
  }
  for (const { field } of defaultSort) {
    if (!fields.get(field)?.sort)
      throw new TypeError(`${resource}: the default sort ${field} is not sortable`);
  }
  return {
    resource,
    tieBreaker,
    defaultSort,
    names: [...fields.keys()],
    find: (name) => {
      const key = name.startsWith(CUSTOM_PREFIX) ? name.slice(CUSTOM_PREFIX.length) : name;
      const isCustom = data !== undefined && CUSTOM_NAME.test(key) && !taken.has(key);
      return fields.get(name) ?? (isCustom ? customField(data, key) : undefined);
    },
  };
}
