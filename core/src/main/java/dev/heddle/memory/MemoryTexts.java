package dev.heddle.memory;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.JobId;
import dev.heddle.search.TextIndex;

/** The words of attempts in a {@link MemoryStore}. */
final class MemoryTexts {

    private record Key(JobId job, int attempt) {}

    private final MemoryTable table;
    private final Map<Key, Set<String>> words = new HashMap<>();

    MemoryTexts(MemoryTable table) {
        this.table = table;
    }

    void index(JobId job, int attempt, String text) {
        words.put(new Key(job, attempt), Set.copyOf(TextIndex.words(text)));
        words.keySet().removeIf(key -> table.find(key.job) == null);
    }

    List<JobId> search(String text, int limit) {
        List<String> wanted = TextIndex.words(text);
        return words.entrySet().stream().filter(entry -> !wanted.isEmpty() && entry.getValue().containsAll(wanted))
                .map(entry -> entry.getKey().job).filter(job -> table.find(job) != null).distinct()
                .sorted(Comparator.reverseOrder()).limit(limit).toList();
    }
}
