import { type TObject, type TSchema, type TUnsafe, Type } from 'typebox';

/** A schema whose values have the type `T`, wherever it is used inside another schema. */
export interface RecordSchema<T> extends TUnsafe<T> {
  properties: { [K in keyof T]-?: TUnsafe<Exclude<T[K], undefined>> };
}

const nameKey = '~name';
const withHidden = <S extends object>(schema: S, name: string): S =>
  Object.defineProperty(schema, nameKey, { value: name, configurable: true });

/** Gives a schema the name by which the OpenAPI document shows it once and refers to it everywhere else.
 * The name is hidden from validators, and `Type.Optional` and `doc` keep it. */
export const named = <S extends TSchema>(name: string, schema: S): S =>
  withHidden(Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema)), name);

/** Names an object schema and its type at once: in TypeScript its values are `T`, in OpenAPI they are `name`.
 * `T` is declared beside it as `interface Poll extends Static<typeof poll>, CustomPoll {}`. */
export const record = <T>(name: string, schema: TObject): RecordSchema<T> =>
  // The type of the properties follows from `T`, which the compiler cannot see here.
  withHidden(Type.Unsafe<T>(schema) as RecordSchema<T>, name);

export const nameOf = (schema: object): string | undefined => Reflect.get(schema, nameKey);

/** A property with the sentence that describes it: in the OpenAPI document, in the reference, and in the editor
 * (`npm run pack` writes it above the property in the declaration file). */
export const doc = <S extends TSchema>(description: string, schema: S): S =>
  Object.create(Object.getPrototypeOf(schema), {
    ...Object.getOwnPropertyDescriptors(schema),
    description: { value: description, enumerable: true, configurable: true, writable: true },
  });

/** The same for a property that may be left out. */
export const optional = <S extends TSchema>(description: string, schema: S) =>
  doc(description, Type.Optional(schema));
