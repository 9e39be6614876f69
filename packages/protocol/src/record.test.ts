import { type Static, Type } from 'typebox';
import { expect, expectTypeOf, test } from 'vitest';
import { doc, named, nameOf, optional, record } from './record.ts';

const dog = Type.Object({
  name: doc('The name it answers to.', Type.String()),
  age: optional('In years.', Type.Integer()),
});
interface Dog extends Static<typeof dog> {}
const DogSchema = record<Dog>('Dog', dog);

test('a record has its type wherever it is used in another schema', () => {
  const kennel = Type.Object({ dogs: Type.Array(DogSchema), guest: optional('A visitor.', DogSchema) });

  expectTypeOf<Static<typeof kennel>>().toEqualTypeOf<{ dogs: Dog[]; guest?: Dog }>();
  expect(Object.keys(DogSchema.properties)).toEqual(['name', 'age']);
});

test('the name stays with copies, and no validator sees it', () => {
  expect(nameOf(DogSchema)).toBe('Dog');
  expect(nameOf(Type.Optional(DogSchema))).toBe('Dog');
  expect(nameOf(doc('Somebody’s dog.', DogSchema))).toBe('Dog');
  expect(nameOf(Type.Array(DogSchema))).toBeUndefined();
  expect(Object.keys(DogSchema)).toEqual(Object.keys(dog));
});

test('naming and describing leave the schema that was given as it was', () => {
  const plain = Type.String({ maxLength: 3 });

  expect({ ...doc('Three letters.', plain) }).toEqual({ ...plain, description: 'Three letters.' });
  expect(nameOf(named('Code', plain))).toBe('Code');
  expect(nameOf(plain)).toBeUndefined();
  expect(plain).not.toHaveProperty('description');
});

test('a property that may be left out is not required', () => {
  expect(dog.required).toEqual(['name']);
  expect(dog.properties.age).toMatchObject({ type: 'integer', description: 'In years.' });
});
