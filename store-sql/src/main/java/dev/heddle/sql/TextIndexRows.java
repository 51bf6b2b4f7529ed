package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.heddle.job.JobId;
import dev.heddle.search.TextIndex;

/** The table {@code spoken}: the words of attempts. Words are split here, so both databases find the same jobs. */
final class TextIndexRows {

    private TextIndexRows() {}

    static int index(Tx tx, JobId job, int attempt, String text) throws SQLException {
        return tx.update("""
                INSERT INTO heddle.spoken (seq, attempt, words) SELECT seq, ?, ? FROM heddle.job WHERE id = ?
                ON CONFLICT (seq, attempt) DO UPDATE SET words = excluded.words""", attempt,
                String.join(" ", TextIndex.words(text.substring(0, Math.min(text.length(), TextIndex.MAX_CHARACTERS)))),
                job);
    }

    static List<JobId> find(Tx tx, String text, int limit) throws SQLException {
        List<String> words = TextIndex.words(text);
        List<JobId> found = new ArrayList<>();
        if (!words.isEmpty()) {
            String quoted = words.stream().map(word -> '"' + word + '"').collect(Collectors.joining(" "));
            try (ResultSet rows = tx.query("SELECT DISTINCT j.id, j.seq FROM heddle.spoken s JOIN heddle.job j ON "
                    + "j.seq = s.seq WHERE " + tx.dialect().spoken() + " ORDER BY j.seq DESC LIMIT ?", quoted, limit)) {
                while (rows.next()) {
                    found.add(JobId.of(rows.getString(1)));
                }
            }
        }
        return found;
    }
}
