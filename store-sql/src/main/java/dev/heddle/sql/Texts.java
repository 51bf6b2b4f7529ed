package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.heddle.job.JobId;
import dev.heddle.search.TextIndex;

/** The words of attempts. What counts as a word is decided here, so that both databases find the same. */
final class Texts {

    private Texts() {}

    static int index(Session session, JobId job, int attempt, String text) throws SQLException {
        return session.update("""
                INSERT INTO heddle.spoken (seq, attempt, words) SELECT seq, ?, ? FROM heddle.job WHERE id = ?
                ON CONFLICT (seq, attempt) DO UPDATE SET words = excluded.words""", attempt,
                String.join(" ", TextIndex.words(text.substring(0, Math.min(text.length(), TextIndex.MOST)))),
                job);
    }

    static List<JobId> find(Session session, String text, int limit) throws SQLException {
        List<String> words = TextIndex.words(text);
        List<JobId> found = new ArrayList<>();
        if (!words.isEmpty()) {
            String all = words.stream().map(word -> '"' + word + '"').collect(Collectors.joining(" "));
            try (ResultSet rows = session
                    .query("SELECT DISTINCT j.id, j.seq FROM heddle.spoken s JOIN heddle.job j ON "
                            + "j.seq = s.seq WHERE " + session.dialect().spoken()
                            + " ORDER BY j.seq DESC LIMIT ?", all, limit)) {
                while (rows.next()) {
                    found.add(JobId.of(rows.getString(1)));
                }
            }
        }
        return found;
    }
}
