package dev.heddle.control;

import java.util.List;

import dev.heddle.job.IdRange;
import dev.heddle.job.Job;
import dev.heddle.search.TextIndex;
import dev.heddle.store.JobQuery;

/** Jobs by the words of their conversations. */
record Search(Ground ground) {

    /** Those that match the query and have all these words in one attempt, newest first. */
    List<Job> find(String words, JobQuery query) {
        if (TextIndex.words(words).isEmpty()) {
            throw ControlException.invalid("text has no word in it to look for: " + Translation.shown(words));
        }
        TextIndex index = ground.feature(TextIndex.class)
                .orElseThrow(() -> ControlException.invalid("this store keeps no words to look for"));
        return index.find(words, Control.MOST_LISTED).stream()
                .flatMap(id -> ground.list(query.ids(new IdRange(id, id)).limit(1)).stream())
                .limit(query.limit())
                .toList();
    }
}
