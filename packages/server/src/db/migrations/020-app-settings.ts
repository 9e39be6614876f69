/** The switches for visitors without an account, and the rules of the app that no channel type decides; null is the default rules. */
export const appSettings = {
  name: '020-app-settings',
  sql: `
alter table apps add column guests_enabled boolean not null default true;
alter table apps add column anonymous_enabled boolean not null default true;
alter table apps add column permissions jsonb;
`,
};
