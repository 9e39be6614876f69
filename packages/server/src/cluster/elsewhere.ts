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

  /** Returns whether the user was on no other server before. */
  add(serverId: string, userId: string): boolean {
    const isNew = !this.has(userId);
    const servers = this.#serversOf.get(userId) ?? new Set();
    this.#serversOf.set(userId, servers.add(serverId));
    const users = this.#usersOn.get(serverId) ?? new Set();
    this.#usersOn.set(serverId, users.add(userId));
    return isNew;
  }

  /** Returns whether the user was there, and is on no other server now. */
  remove(serverId: string, userId: string): boolean {
    const users = this.#usersOn.get(serverId);
    if (users?.delete(userId) && users.size === 0) this.#usersOn.delete(serverId);
    const servers = this.#serversOf.get(userId);
    if (!servers?.delete(serverId) || servers.size > 0) return false;
    return this.#serversOf.delete(userId);
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
    const absent = [...(this.#usersOn.get(serverId) ?? [])].filter((userId) => !listed.has(userId));
    const gone = absent.filter((userId) => this.remove(serverId, userId));
    const came = [...listed].filter((userId) => this.add(serverId, userId));
    return [...came, ...gone];
  }

  /** Forgets a server; returns the users who are on no other. */
  drop(serverId: string): string[] {
    this.#lists.delete(serverId);
    return [...(this.#usersOn.get(serverId) ?? [])].filter((userId) => this.remove(serverId, userId));
  }
}
