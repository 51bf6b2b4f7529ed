package dev.heddle.worktree;

import java.util.ArrayList;
import java.util.List;

import dev.heddle.worktree.SavedDiff.FileDiff;
import dev.heddle.worktree.SavedDiff.Status;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of {@code git diff-tree}: the list of files from {@code --raw -z}, their changed lines from
 * {@code --numstat -z} and their diffs from {@code --patch}. All have the same order, so the names in the diffs, which
 * git quotes, need not be read.
 */
final class DiffOutput {

    private static final String HEADER = "diff --git ";

    private DiffOutput() {}

    /** A file in the list. */
    private record Entry(Status status, String path, @Nullable String oldPath) {

        /** Returns how many diffs git writes for it: what became something else is deleted and added. */
        int diffs() {
            return status == Status.TYPE_CHANGED ? 2 : 1;
        }
    }

    /**
     * Returns the changed files.
     *
     * @param raw the list of files
     * @param numstat the changed lines of the files
     * @param patch the diffs of the files
     */
    static SavedDiff parse(String raw, String numstat, String patch) {
        List<Entry> entries = entries(fields(raw));
        List<String> counts = fields(numstat);
        List<String> diffs = split(patch);
        boolean allDiffs = !SavedDiff.isCut(patch);
        List<FileDiff> files = new ArrayList<>();
        int count = 0;
        int diff = 0;
        int left = SavedDiff.MOST_IN_ALL;
        for (Entry entry : entries) {
            int next = count + (entry.oldPath == null ? 1 : 3);
            if (next > counts.size()) {
                break;
            }
            String[] lines = counts.get(count).split("\t", 3);
            boolean binary = lines[0].equals("-");
            int end = diff + entry.diffs();
            String text = String.join("", diffs.subList(Math.min(diff, diffs.size()), Math.min(end, diffs.size())));
            String shown = binary ? "" : cut(text, Math.min(left, SavedDiff.MOST_PER_FILE));
            boolean complete = shown.length() == text.length() && (end < diffs.size() || allDiffs);
            files.add(new FileDiff(entry.path, entry.oldPath, entry.status, binary ? 0 : Long.parseLong(lines[0]),
                    binary ? 0 : Long.parseLong(lines[1]), binary, shown.isEmpty() ? null : shown,
                    !binary && !complete));
            left -= shown.length();
            count = next;
            diff = end;
        }
        return new SavedDiff(files, SavedDiff.isCut(raw) || SavedDiff.isCut(numstat));
    }

    private static List<Entry> entries(List<String> fields) {
        List<Entry> entries = new ArrayList<>();
        int at = 0;
        while (at < fields.size()) {
            Status status = status(fields.get(at).charAt(fields.get(at).lastIndexOf(' ') + 1));
            boolean pair = status == Status.RENAMED || status == Status.COPIED;
            int next = at + (pair ? 3 : 2);
            if (next <= fields.size()) {
                entries.add(new Entry(status, fields.get(next - 1), pair ? fields.get(at + 1) : null));
            }
            at = next;
        }
        return entries;
    }

    /** Returns the fields of output with {@code -z}, without a last one that lacks its end. */
    private static List<String> fields(String output) {
        String[] fields = output.split("\0", -1);
        return List.of(fields).subList(0, fields.length - 1);
    }

    private static Status status(char letter) {
        return switch (letter) {
            case 'A' -> Status.ADDED;
            case 'D' -> Status.DELETED;
            case 'R' -> Status.RENAMED;
            case 'C' -> Status.COPIED;
            case 'T' -> Status.TYPE_CHANGED;
            default -> Status.MODIFIED;
        };
    }

    /** Splits a patch into the diffs of files. Every line of content starts with a space, a plus or a minus. */
    private static List<String> split(String patch) {
        List<String> diffs = new ArrayList<>();
        int start = patch.startsWith(HEADER) ? 0 : patch.indexOf("\n" + HEADER) + 1;
        while (start < patch.length() && patch.startsWith(HEADER, start)) {
            int next = patch.indexOf("\n" + HEADER, start);
            int end = next < 0 ? patch.length() : next + 1;
            diffs.add(patch.substring(start, end));
            start = end;
        }
        return diffs;
    }

    /** Returns the whole lines at the beginning of a diff that fit. */
    private static String cut(String diff, int most) {
        return diff.length() <= most ? diff : diff.substring(0, diff.lastIndexOf('\n', most - 1) + 1);
    }
}
