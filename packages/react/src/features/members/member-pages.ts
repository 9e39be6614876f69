import { type Member, selectUserName } from '@parley/client';

export type MemberPages = {
  members: readonly Member[];
  /** The cursor of the next page; undefined when all are loaded. */
  next?: string | undefined;
};

export const memberName = ({ user, user_id }: Member): string => (user ? selectUserName(user) : user_id);

const isAfter = (a: Member, b: Member): boolean => memberName(a).localeCompare(memberName(b)) > 0;

const matches = (member: Member, query: string): boolean =>
  memberName(member).toLocaleLowerCase().includes(query.toLocaleLowerCase());

/** Adds or replaces a member. One of a page that is not loaded yet comes with that page. */
export const withMember = (pages: MemberPages, member: Member, query: string): MemberPages => {
  const index = pages.members.findIndex(({ user_id }) => user_id === member.user_id);
  if (index >= 0) return { ...pages, members: pages.members.with(index, member) };
  if (!matches(member, query)) return pages;
  const place = pages.members.findIndex((other) => isAfter(other, member));
  if (place < 0 && pages.next !== undefined) return pages;
  return { ...pages, members: pages.members.toSpliced(place < 0 ? pages.members.length : place, 0, member) };
};

export const withoutMember = (pages: MemberPages, userId: string): MemberPages => ({
  ...pages,
  members: pages.members.filter(({ user_id }) => user_id !== userId),
});

/** Adds a page, which may contain members that an event has added meanwhile. */
export const withPage = (pages: MemberPages, page: MemberPages): MemberPages => {
  const ids = new Set(pages.members.map(({ user_id }) => user_id));
  return {
    members: [...pages.members, ...page.members.filter(({ user_id }) => !ids.has(user_id))],
    next: page.next,
  };
};
