import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  API,
  type Checker,
  type Symbol as NamedSymbol,
  type Project,
  type Type,
} from 'typescript/unstable/sync';
import type { Check } from './outcome.ts';
import { readText } from './source-files.ts';

type Protocol = { openApiDocument: (options: { serverUrl: string; version: string }) => object };

const isSentence = (text: unknown): boolean => typeof text === 'string' && /^\S.*[.!?]$/s.test(text.trim());

/** Every property and parameter of the OpenAPI document whose description is no sentence, by its path. */
export const undescribedProperties = (value: unknown, path = ''): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { properties, parameters }: { properties?: object; parameters?: unknown } = value;
  const isSchema = !Array.isArray(value) && ('type' in value || 'required' in value);
  const named: [string, { description?: unknown }][] = [
    ...(isSchema && properties ? Object.entries(properties) : []),
    ...(Array.isArray(parameters) ? parameters.map((one): [string, object] => [one.name, one]) : []),
  ];
  return [
    ...named.filter(([, { description }]) => !isSentence(description)).map(([name]) => `${path}/${name}`),
    ...Object.entries(value).flatMap(([key, inner]) => undescribedProperties(inner, `${path}/${key}`)),
  ];
};

const callSignature = 0;
const [aliasFlag, classFlag] = [1 << 21, 1 << 5];
/** Transport and test doubles hang on the client but are no part of what a product calls. */
const internal = new Set(['http', 'environment']);

/** Collects what a package exports to products: functions, and the methods of the objects that these return. */
class PublicApi {
  readonly methods = new Map<string, NamedSymbol>();
  readonly #seen = new Set<string | number>();
  readonly #checker: Checker;
  readonly #home: string;

  constructor(checker: Checker, home: string) {
    this.#checker = checker;
    this.#home = home;
  }

  addExport(entry: string, exported: NamedSymbol): void {
    // An icon is described by its name.
    if (/^Icon[A-Z]/.test(exported.name)) return;
    const symbol = exported.flags & aliasFlag ? this.#checker.getAliasedSymbol(exported) : exported;
    const isClass = (symbol.flags & classFlag) !== 0;
    const type = isClass
      ? this.#checker.getDeclaredTypeOfSymbol(symbol)
      : this.#checker.getTypeOfSymbol(symbol);
    if (!type || !this.#isOurs(symbol)) return;
    this.#addValue(`${entry} ${exported.name}`, symbol, type, 0);
  }

  #isOurs(symbol: NamedSymbol): boolean {
    return symbol.declarations.some(
      ({ path }) => path.includes(this.#home) && !path.includes('node_modules'),
    );
  }

  #addValue(label: string, symbol: NamedSymbol, type: Type, depth: number): void {
    const present = this.#checker.getNonNullableType(type) ?? type;
    const [signature] = this.#checker.getSignaturesOfType(present, callSignature);
    if (signature === undefined) {
      this.#addMembers(label, present, depth);
      return;
    }
    this.methods.set(label, symbol);
    const made = this.#checker.getReturnTypeOfSignature(signature);
    if (made) for (const type of this.#objectsIn(made)) this.#addMembers(`${label}()`, type, depth);
  }

  /** The objects of a result: the methods of a handle are public as those of its feature are. */
  #objectsIn(type: Type): readonly Type[] {
    if (type.isUnionType()) return type.getTypes().flatMap((one) => this.#objectsIn(one));
    const isPromise = type.getSymbol()?.name === 'Promise' && type.isTypeReference();
    if (isPromise) return this.#checker.getTypeArguments(type).flatMap((one) => this.#objectsIn(one));
    return [type];
  }

  #addMembers(label: string, type: Type, depth: number): void {
    if (depth > 3 || this.#seen.has(type.id)) return;
    this.#seen.add(type.id);
    for (const member of this.#checker.getPropertiesOfType(type)) {
      const memberType =
        this.#isOurs(member) && !internal.has(member.name) && this.#checker.getTypeOfSymbol(member);
      if (memberType) this.#addValue(`${label}.${member.name}`, member, memberType, depth + 1);
    }
  }
}

const publicMethods = (
  root: string,
  name: string,
  { checker, program }: Project,
): Map<string, NamedSymbol> => {
  const api = new PublicApi(checker, `/packages/${name}/`);
  const manifest: { exports: Record<string, string> } = JSON.parse(
    readText(root, `packages/${name}/package.json`),
  );
  for (const [entry, path] of Object.entries(manifest.exports)) {
    const file = program.getSourceFile(join(root, 'packages', name, path));
    const module = file && checker.getSymbolAtLocation(file);
    for (const exported of module ? checker.getExportsOfModule(module) : [])
      api.addExport(`@parley/${name}${entry.slice(1)}`, exported);
  }
  return api.methods;
};

/** How many public functions and methods there are, and those without a sentence above them. */
export const undocumentedMethods = (root: string, names: string[]): { count: number; bare: string[] } => {
  const api = new API({ cwd: root });
  try {
    const configOf = (name: string): string => join(root, 'packages', name, 'tsconfig.json');
    const snapshot = api.updateSnapshot({ openProjects: names.map(configOf) });
    const found = names.flatMap((name) => {
      const project = snapshot.getProject(configOf(name));
      if (!project) throw new Error(`The compiler does not open ${configOf(name)}`);
      return [...publicMethods(root, name, project)].map(([label, symbol]) => ({
        label,
        text: symbol.getDocumentationComment(project.checker),
      }));
    });
    return {
      count: found.length,
      bare: found.filter(({ text }) => !isSentence(text)).map(({ label }) => label),
    };
  } finally {
    api.close();
  }
};

/** The packages whose public methods all have their sentence. */
const documentedPackages = ['client', 'react'];

export const descriptions: Check = {
  name: 'descriptions',
  run: async (root) => {
    const path = join(root, 'packages/protocol/src/index.ts');
    const { openApiDocument }: Protocol = await import(pathToFileURL(path).href);
    const document = openApiDocument({ serverUrl: '/api', version: '0' });
    const { count, bare } = undocumentedMethods(root, documentedPackages);
    return {
      problems: [
        ...undescribedProperties(document).map((property) => `${property} has no description`),
        ...bare.map((method) => `${method} has no sentence of documentation`),
      ],
      note: `${count} public methods`,
    };
  },
};
