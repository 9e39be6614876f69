import { expect, test } from 'vitest';
import { withComments } from './documented-sources.ts';

const exported = {
  Next: { description: 'The next page.' },
  page: { size: { description: 'How many.' } },
  Id: {},
};

test('a description becomes the comment above its property', () => {
  const source = `const dog = open({
  name: doc('The dog\\'s name.', Name),
  age: optional(
    "In the dog's years.",
    Age,
  ),
});`;

  expect(withComments(source, exported)).toContain("  /** The dog's name. */\n  name: doc(");
  expect(withComments(source, exported)).toContain("  /** In the dog's years. */\n  age: optional(");
});

test('a property of a shared schema and a shared set of properties get theirs where they are used', () => {
  const commented = withComments('closed({ ...page, next: Next, id: Id })', exported);

  expect(commented).toContain('/** How many. */\nsize: page.size,');
  expect(commented).toContain('/** The next page. */\nnext: Next,');
  expect(commented).not.toContain('*/\nid');
});

test('the rest of a pattern stays the last in it', () => {
  expect(withComments('const { a, ...page } = all;', exported)).not.toContain('page,');
});
