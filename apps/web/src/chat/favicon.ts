const dot = "%3Ccircle cx='25' cy='7' r='7' fill='%23c0332b'/%3E%3C/svg%3E";

/** The page's icon with a dot while something is unread. */
export const badgedIcon = (href: string, hasUnread: boolean): string => {
  const plain = href.replace(dot, '%3C/svg%3E');
  return hasUnread ? plain.replace(/%3C\/svg%3E$/, dot) : plain;
};

export const setIconBadge = (page: Document, hasUnread: boolean): void => {
  const icon = page.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (icon) icon.href = badgedIcon(icon.href, hasUnread);
};
