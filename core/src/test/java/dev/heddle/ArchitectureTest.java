package dev.heddle;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The arrows between the packages: pool → store → job, pool → worker → job. Each rule was seen to fail on a class
 * that broke it before it was let in.
 */
class ArchitectureTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.heddle");

    private static void check(ArchRule rule) {
        assertThat(CORE.size()).as("there are classes to check").isGreaterThan(50);
        rule.check(CORE);
    }

    @Test
    void jobsKnowNothingAboveThem() {
        check(noClasses().that().resideInAPackage("dev.heddle.job..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.store..", "dev.heddle.worker..", "dev.heddle.pool.."));
    }

    @Test
    void storesKnowOnlyJobs() {
        check(noClasses().that().resideInAPackage("dev.heddle.store..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.worker..", "dev.heddle.pool.."));
    }

    @Test
    void workersKnowOnlyJobs() {
        check(noClasses().that().resideInAPackage("dev.heddle.worker..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.store..", "dev.heddle.pool.."));
    }

    @Test
    void budgetsKnowOnlyJobs() {
        check(noClasses().that().resideInAPackage("dev.heddle.budget..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.store..", "dev.heddle.worker..", "dev.heddle.pool.."));
    }

    @Test
    void theCoreKnowsNoDatabaseDriverAndNoLoggingBackEnd() {
        check(noClasses().should().dependOnClassesThat().resideInAnyPackage("org.sqlite..",
                "org.postgresql..",
                "ch.qos.logback.."));
    }

    @Test
    void timeComesIn() {
        check(noClasses().should().callMethod("java.time.Instant", "now").orShould()
                .callMethod("java.time.Clock", "systemUTC"));
    }

    @Test
    void decisionsDoNoInputOrOutput() {
        check(noClasses().that().resideInAPackage("dev.heddle.job..").should().dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "java.util.concurrent.locks.."));
    }
}
