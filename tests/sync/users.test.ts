import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

testLaw('S20 user.updated: a member changes their name and image', {
  act: ({ cy }) =>
    cy.caller.call('PATCH /users', {
      body: { users: [{ id: 'cy', set: { name: 'Cyril', image: 'https://example.com/cy.png' } }] },
    }),
  writes: [],
});

testLaw('S20 user.updated: oneself changes their name', {
  act: ({ ana }) =>
    ana.caller.call('PATCH /users', { body: { users: [{ id: 'ana', set: { name: 'Anastasia' } }] } }),
  writes: [],
});
