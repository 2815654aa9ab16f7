import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Random;
import java.util.stream.IntStream;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.Classifier;
import moa.classifiers.meta.AdaptiveRandomForest;
import moa.classifiers.trees.ARFHoeffdingTree;
import moa.core.Utils;
import moa.options.ClassOption;

/**
 * Lets an ensemble of MOA predict and then learn each example of a file, float64 in little-endian order, the class
 * last. Arguments: the file; the numbers of values of the columns and of classes, 0 for a numeric column, separated
 * by commas; the vote, "probability" as in MOA, or "majority" of the members; the ensemble in MOA's notation, or
 * "SeededForest" with the options of its adaptive random forest; seeds.
 * Prints for each seed the number of right predictions, the CPU seconds of the first and of the second half, and
 * how many bytes of the heap the ensemble takes; that of the first seed includes what the start has left there.
 */
public class Ensembles {
    /**
     * MOA's adaptive random forest with a seed for each tree, also for those that replace another. In MOA all trees
     * draw their columns with the same seed, whatever that of the forest.
     */
    static class SeededForest extends AdaptiveRandomForest {
        class Tree extends ARFHoeffdingTree {
            @Override
            public void resetLearning() {
                setRandomSeed(seeds.nextInt());
                super.resetLearning();
            }

            @Override
            public Classifier copy() { // MOA copies a tree in order to reset the copy
                return newTree();
            }
        }

        Random seeds;

        Tree newTree() {
            var tree = new Tree();
            var words = treeLearnerOption.getValueAsCLIString();
            tree.getOptions().setViaCLIString(words.substring(words.indexOf(' ') + 1));
            tree.subspaceSizeOption.setValue(subspaceSize);
            tree.setModelContext(getModelContext());
            tree.prepareForUse();
            tree.resetLearning();
            return tree;
        }

        @Override
        protected void initEnsemble(Instance example) {
            super.initEnsemble(example);
            seeds = new Random(randomSeed);
            for (var member : ensemble) {
                member.classifier = newTree();
            }
        }
    }

    static AbstractClassifier ensembleOf(String words) throws Exception {
        if (!words.startsWith("SeededForest ")) {
            return (AbstractClassifier) ClassOption.cliStringToObject(words, Classifier.class, null);
        }
        var forest = new SeededForest();
        forest.getOptions().setViaCLIString(words.substring(words.indexOf(' ') + 1));
        return forest;
    }

    public static void main(String[] arguments) throws Exception {
        var sizes = arguments[1].split(",");
        var attributes = new ArrayList<Attribute>();
        for (var size : sizes) {
            var values = IntStream.range(0, Integer.parseInt(size)).mapToObj(String::valueOf).toList();
            var name = "a" + attributes.size();
            attributes.add(values.isEmpty() ? new Attribute(name) : new Attribute(name, values));
        }
        var header = new InstancesHeader(new Instances("stream", attributes, 0));
        header.setClassIndex(sizes.length - 1);
        boolean byMajority = arguments[2].equals("majority");

        ByteBuffer bytes;
        try (var file = FileChannel.open(Path.of(arguments[0]))) {
            bytes = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()).order(ByteOrder.LITTLE_ENDIAN);
        }
        for (int s = 4; s < arguments.length; s++) {
            var ensemble = ensembleOf(arguments[3]);
            ensemble.setModelContext(header);
            ensemble.setRandomSeed(Integer.parseInt(arguments[s]));
            ensemble.prepareForUse();
            ensemble.resetLearning();
            var numbers = bytes.asDoubleBuffer();
            int n = numbers.remaining() / sizes.length;
            var seconds = new double[3];
            int right = 0;
            for (int i = 0; i < n; i++) {
                if (i == 0 || i == n / 2) {
                    seconds[i == 0 ? 0 : 1] = cpuSeconds();
                }
                var values = new double[sizes.length];
                numbers.get(values);
                var example = new DenseInstance(1.0, values);
                example.setDataset(header);
                var votes = byMajority ? majority(ensemble, example) : ensemble.getVotesForInstance(example);
                right += Utils.maxIndex(votes) == (int) example.classValue() ? 1 : 0;
                ensemble.trainOnInstance(example);
            }
            seconds[2] = cpuSeconds();
            long size = bytesInUse();
            ensemble = null;
            size -= bytesInUse();
            System.out.println(
                right + " " + (seconds[1] - seconds[0]) + " " + (seconds[2] - seconds[1]) + " " + size);
        }
    }

    static double[] majority(AbstractClassifier ensemble, Instance example) {
        var votes = new double[example.numClasses()];
        for (var member : ensemble.getSubClassifiers()) {
            var shares = member.getVotesForInstance(example);
            if (Utils.sum(shares) > 0) {
                votes[Utils.maxIndex(shares)] += 1;
            }
        }
        return votes;
    }

    static long bytesInUse() {
        for (int i = 0; i < 3; i++) { // one collection leaves megabytes behind
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    static double cpuSeconds() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
    }
}
