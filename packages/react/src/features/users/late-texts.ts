import { defineTexts } from '../../i18n/catalogue.ts';

export const lateUserTexts = defineTexts('users', {
  people: 'People',
  searchPeople: 'Search people',
  noPeopleFound: 'Nobody by that name',
  removePerson: 'Remove {name}',
});
