package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import dev.heddle.sql.Tx;

/**
 * Adds the columns that a file lacks if it was created before {@code 001_initial.sql} got its final form. All those
 * files have version 1 to 4: what to add is known only by what is missing. PostgreSQL has a script instead, because it
 * can add a column "if not exists".
 */
final class EarlyColumns {

    /**
     * An edit of the script.
     *
     * @param table the table that it changed
     * @param column one of the columns that it added; if the table has it, or does not exist, there is nothing to do
     * @param script does the same to an existing table and its rows
     */
    private record Addition(String table, String column, String script) {}

    private static final List<Addition> ADDITIONS = List.of(
            // Suspects got their lane when there was one. A committed start meant one of two things: suspects always
            // did it, and otherwise it was a job that must not run twice.
            new Addition("live", "care", """
                    ALTER TABLE live ADD COLUMN care TEXT;
                    UPDATE live SET care = CASE WHEN lane IN (SELECT id FROM lane WHERE suspect = 1) THEN 'BLAMED'
                                                ELSE 'ONCE' END
                    WHERE start_committed = 1;
                    ALTER TABLE live DROP COLUMN start_committed;
                    INSERT INTO lane (queue, type, suspect) SELECT queue, type, 1 - suspect FROM lane WHERE TRUE
                    ON CONFLICT DO NOTHING;
                    """),
            // The first script creates it again. Its rows can go: the one node that a file serves at a time is gone.
            new Addition("node", "lease_ms", "DROP TABLE node;"),
            // The attempt that completed a job was a row of its own.
            new Addition("ended", "worker", """
                    ALTER TABLE ended ADD COLUMN assigned_at INTEGER;
                    ALTER TABLE ended ADD COLUMN started_at INTEGER;
                    ALTER TABLE ended ADD COLUMN node TEXT;
                    ALTER TABLE ended ADD COLUMN worker TEXT;
                    UPDATE ended SET assigned_at = a.assigned_at, started_at = a.started_at, node = a.node,
                                     worker = a.worker
                    FROM attempt a WHERE a.seq = ended.seq AND a.outcome = 'COMPLETED';
                    DELETE FROM attempt WHERE outcome = 'COMPLETED';
                    """),
            // A parent was only a label, and stays one for jobs of that time: no one waits for them or cancels them.
            new Addition("live", "phase", """
                    ALTER TABLE job ADD COLUMN outlives_parent INTEGER;
                    ALTER TABLE live ADD COLUMN phase TEXT;
                    ALTER TABLE live ADD COLUMN parent INTEGER;
                    ALTER TABLE live ADD COLUMN has_children INTEGER NOT NULL DEFAULT FALSE;
                    ALTER TABLE ended ADD COLUMN phase TEXT;
                    """),
            new Addition("run", "usage", "ALTER TABLE run ADD COLUMN usage TEXT;"));

    private EarlyColumns() {}

    static void addMissing(Tx tx) throws SQLException {
        for (Addition addition : ADDITIONS) {
            if (isMissing(tx, addition)) {
                Migrations.execute(tx, addition.script());
            }
        }
    }

    private static boolean isMissing(Tx tx, Addition addition) throws SQLException {
        try (ResultSet row = tx.query("SELECT count(*), count(*) FILTER (WHERE name = ?) FROM pragma_table_info(?)",
                addition.column(), addition.table())) {
            return row.next() && row.getInt(1) > 0 && row.getInt(2) == 0;
        }
    }
}
