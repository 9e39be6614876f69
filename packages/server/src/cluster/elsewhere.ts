type Part = { userIds: readonly string[]; isFirst: boolean; isLast: boolean };

/** The users who are online on other servers. */
export class Elsewhere {
  #serversOf = new Map<string, Set<string>>();
  #usersOn = new Map<string, Set<string>>();
  /** The lists of whole servers of which only a part has come. */
  #lists = new Map<string, Set<string>>();

  has(userId: string): boolean {
    return this.#serversOf.has(userId);
  }

  add(serverId: string, userId: string): void {
    const servers = this.#serversOf.get(userId) ?? new Set();
    this.#serversOf.set(userId, servers.add(serverId));
    const users = this.#usersOn.get(serverId) ?? new Set();
    this.#usersOn.set(serverId, users.add(userId));
  }

  remove(serverId: string, userId: string): void {
    const servers = this.#serversOf.get(userId);
    if (servers?.delete(serverId) && servers.size === 0) this.#serversOf.delete(userId);
    const users = this.#usersOn.get(serverId);
    if (users?.delete(userId) && users.size === 0) this.#usersOn.delete(serverId);
  }

  /** Takes in a part of the list of all users on a server. With the last part it replaces what was known; returns the users who came
   * or went by that, on all other servers together. */
  list(serverId: string, { userIds, isFirst, isLast }: Part): string[] {
    if (isFirst) this.#lists.set(serverId, new Set());
    const listed = this.#lists.get(serverId);
    // The first part was lost: the next list is whole.
    if (!listed) return [];
    for (const userId of userIds) listed.add(userId);
    if (!isLast) return [];
    this.#lists.delete(serverId);
    const came = [...listed].filter((userId) => !this.has(userId));
    const gone = [...(this.#usersOn.get(serverId) ?? [])].filter((userId) => !listed.has(userId));
    for (const userId of gone) this.remove(serverId, userId);
    for (const userId of listed) this.add(serverId, userId);
    return [...came, ...gone.filter((userId) => !this.has(userId))];
  }

  /** Forgets a server; returns the users who are on no other. */
  drop(serverId: string): string[] {
    this.#lists.delete(serverId);
    const users = [...(this.#usersOn.get(serverId) ?? [])];
    for (const userId of users) this.remove(serverId, userId);
    return users.filter((userId) => !this.has(userId));
  }
}
