-- Who gave an admin their role: the configuration (admin_emails), which can take it back, or another admin. Null for
-- customers, and for admins from before this was recorded until the shop starts next. It may be null, so that older
-- backups can be restored.
alter table users add column role_source text
    constraint role_source_known check (role_source in ('config', 'console'));
