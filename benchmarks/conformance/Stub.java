import com.yahoo.labs.samoa.instances.Instance;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.MultiClassClassifier;
import moa.core.Measurement;

/** Says what column `number` says, and counts what it learns. */
public class Stub extends AbstractClassifier implements MultiClassClassifier {
    public int number;
    public double weight;
    public int label;

    @Override
    public void resetLearningImpl() {
        weight = 0;
    }

    @Override
    public void trainOnInstanceImpl(Instance example) {
        weight += example.weight();
        label = (int) example.classValue();
    }

    @Override
    public double[] getVotesForInstance(Instance example) {
        double said = example.value(Math.min(number, example.numAttributes() - 2)); // the class is last
        return new double[] {1 - said, said};
    }

    @Override
    public boolean isRandomizable() {
        return false;
    }

    @Override
    public void getModelDescription(StringBuilder text, int indent) {}

    @Override
    protected Measurement[] getModelMeasurementsImpl() {
        return null;
    }
}
