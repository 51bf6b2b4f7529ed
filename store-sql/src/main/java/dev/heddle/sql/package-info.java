/**
 * What SQLite and PostgreSQL do alike: reading, commands, recovery, retention, in SQL that both understand. It names
 * tables as {@code heddle.live}, which a {@link dev.heddle.sql.Dialect} turns into their names there. What has to be
 * fast, or safe among many writers, differs and lies with each of them: inserting, claiming, writing outcomes.
 */
@NullMarked
package dev.heddle.sql;

import org.jspecify.annotations.NullMarked;
