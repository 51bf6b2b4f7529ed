package dev.heddle.cli.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import dev.heddle.cli.shell.DidYouMean;
import dev.heddle.job.JobState;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts option values to job states. Ignores case. */
final class JobStateConverter implements ITypeConverter<JobState> {

    @Override
    public JobState convert(String text) {
        List<String> names = Arrays.stream(JobState.values()).map(Enum::name).toList();
        String name = text.toUpperCase(Locale.ROOT);
        if (!names.contains(name)) {
            throw new TypeConversionException("'" + text + "' is not a job state"
                    + DidYouMean.hint(name, names, "; use one of " + String.join(", ", names)));
        }
        return JobState.valueOf(name);
    }
}
