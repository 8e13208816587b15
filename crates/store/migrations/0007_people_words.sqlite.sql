-- What is in people's names and addresses, so that a part finds one of a hundred thousand (crates/store/src/admin.rs).
-- It only repeats what the table says, and is not in a backup.
create virtual table people_words using fts5 (name, email, content = 'users', tokenize = 'trigram');
-- Who is forgotten leaves no letters behind.
insert into people_words (people_words, rank) values ('secure-delete', 1);
insert into people_words (people_words) values ('rebuild');

create trigger people_words_of_a_new_one after insert on users begin
    insert into people_words (rowid, name, email) values (new.rowid, new.name, new.email);
end;
create trigger people_words_of_a_changed_one after update of name, email on users
when old.name <> new.name or old.email <> new.email begin
    insert into people_words (people_words, rowid, name, email) values ('delete', old.rowid, old.name, old.email);
    insert into people_words (rowid, name, email) values (new.rowid, new.name, new.email);
end;
