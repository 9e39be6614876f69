import {
  ColumnNode,
  type KyselyPlugin,
  type OperationNode,
  ReferenceNode,
  type RootOperationNode,
  SelectionNode,
  TableNode,
} from 'kysely';
import { knownColumns } from './known-columns.ts';
import type { Database } from './schema.ts';

const namesOf = new Map<string, string[]>(
  Object.entries(knownColumns).map(([table, columns]) => [table, Object.keys(columns)]),
);

const columnNames = (table: string): string[] => {
  const names = namesOf.get(table);
  if (!names) throw new Error(`The columns of ${table} are not known`);
  return names;
};

/** The columns of a table for SQL that is written as text, each with the table's name or its alias before it. */
export const columnsOf = (table: keyof Database, alias: string = table): string =>
  columnNames(table)
    .map((name) => `${alias}."${name}"`)
    .join(', ');

const isSelectAll = (node: OperationNode): boolean => node.kind === 'SelectAllNode';

const selections = new Map<string, SelectionNode[]>();
const selectionsOf = (table: string): SelectionNode[] => {
  const ready = selections.get(table);
  if (ready) return ready;
  const made = columnNames(table).map((name) =>
    SelectionNode.create(ReferenceNode.create(ColumnNode.create(name), TableNode.create(table))),
  );
  selections.set(table, made);
  return made;
};

const tableOf = (node: OperationNode | undefined): string => {
  if (node === undefined || !TableNode.is(node)) throw new Error('selectAll needs a table');
  return node.table.identifier.name;
};

/** Puts the names of columns where a query says "all", which Kysely would write as `*`. */
const expand = (
  list: readonly SelectionNode[],
  from: OperationNode | undefined,
): readonly SelectionNode[] => {
  const hasAll = list.some(
    ({ selection }) =>
      isSelectAll(selection) || (ReferenceNode.is(selection) && isSelectAll(selection.column)),
  );
  if (!hasAll) return list;
  return list.flatMap((one) => {
    const { selection } = one;
    if (isSelectAll(selection)) return selectionsOf(tableOf(from));
    if (ReferenceNode.is(selection) && isSelectAll(selection.column))
      return selectionsOf(tableOf(selection.table));
    return one;
  });
};

const named = (node: RootOperationNode): RootOperationNode => {
  if (node.kind === 'SelectQueryNode')
    return node.selections ? { ...node, selections: expand(node.selections, node.from?.froms[0]) } : node;
  if (node.kind !== 'InsertQueryNode' && node.kind !== 'UpdateQueryNode' && node.kind !== 'DeleteQueryNode')
    return node;
  const { returning } = node;
  if (!returning) return node;
  const table =
    node.kind === 'InsertQueryNode'
      ? node.into
      : node.kind === 'UpdateQueryNode'
        ? node.table
        : node.from.froms[0];
  return { ...node, returning: { ...returning, selections: expand(returning.selections, table) } };
};

export const namedColumns: KyselyPlugin = {
  transformQuery: ({ node }) => named(node),
  transformResult: async ({ result }) => result,
};
